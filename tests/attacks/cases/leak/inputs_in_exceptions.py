# /// attack
# what = "Puts the hidden inputs into the exception's message and class name."
# status = "error"
# ///

def softmax(x, axis=-1):
    name = "INPUT_SEEN_" + "_".join(str(abs(int(v * 1000))) for v in x.ravel()[:4])
    raise type(name, (ValueError,), {})(f"INPUT-SEEN {x.tolist()}")
