# /// attack
# what = "Returns a generator."
# status = "failed"
# ///

def softmax(x, axis=-1):
    return (row for row in x)
