# /// attack
# what = "Puts the hidden inputs into the file name of a traceback."
# status = "error"
# ///

def softmax(x, axis=-1):
    exec(compile("1 / 0", f"INPUT-SEEN {x.ravel()[0]}", "exec"))
