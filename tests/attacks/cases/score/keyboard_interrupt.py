# /// attack
# what = "Raises KeyboardInterrupt when it is called."
# status = "error"
# ///

def softmax(x, axis=-1):
    raise KeyboardInterrupt
