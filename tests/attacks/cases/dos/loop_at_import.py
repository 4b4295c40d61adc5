# /// attack
# what = "Loops without end while it is imported."
# status = "timeout"
# ///

while True:
    pass


def softmax(x, axis=-1):
    return x * 0
