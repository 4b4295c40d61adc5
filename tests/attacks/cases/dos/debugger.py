# /// attack
# what = "Stops in the debugger."
# status = "error"
# ///

def softmax(x, axis=-1):
    breakpoint()
    return x
