# /// attack
# what = "Returns text that no file can hold."
# status = "failed"
# ///

def softmax(x, axis=-1):
    return "\ud800\udfff" * 100
