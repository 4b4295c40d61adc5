# /// attack
# what = "Overwrites graders, solutions and others' work."
# status = "failed"
# needs = "L2"
# ///

for place in (
    "{ROOT}/autograder/graders/test_softmax.py",
    "{ROOT}/solutions/softmax.py",
    "{CLASS}/a-right/softmax.py",
    "{OUT}/results.json",
):
    try:
        open(place, "r+").close()
        print("BROKE", place)
    except OSError:
        pass


def softmax(x, axis=-1):
    return x * 0
