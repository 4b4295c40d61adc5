# /// attack
# what = "Gives one long text among thousands, which NumPy would pad to its length."
# status = "failed"
# ///

ANSWER = ("x" * 34_000, *("",) * 9_900)


def softmax(x, axis=-1):
    return ANSWER
