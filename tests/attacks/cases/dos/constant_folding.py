# /// attack
# what = "A constant that takes for ever to compute."
# status = "timeout"
# ///

x = 9**9**9


def softmax(x, axis=-1):
    return x * 0
