# /// attack
# what = "Raises SystemExit when it is called."
# status = "error"
# ///

def softmax(x, axis=-1):
    raise SystemExit(0)
