# /// attack
# what = "Waits for input."
# status = "error"
# ///

def softmax(x, axis=-1):
    return float(input("x? ")) * x
