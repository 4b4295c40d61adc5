# /// attack
# what = "Source that is deadly to parse."
# status = "error"
# ///

x = {DEEP}


def softmax(x, axis=-1):
    return x * 0
