# /// attack
# what = "Tells a hidden input by the number of the line that raises."
# status = "error"
# ///

DEEP = compile("\n" * 7_654_320 + "raise ValueError", "softmax.py", "exec")


def softmax(x, axis=-1):
    exec(DEEP)
