# /// attack
# what = "Stays in one C call for ever, where no signal handler runs."
# status = "timeout"
# ///

def softmax(x, axis=-1):
    return sum(range(10**12))
