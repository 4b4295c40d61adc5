# /// attack
# what = "Recurses without end."
# status = "error"
# ///

def softmax(x, axis=-1):
    return softmax(x, axis=axis)
