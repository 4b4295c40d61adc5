# /// attack
# what = "Prints without end."
# status = "timeout"
# ///

def softmax(x, axis=-1):
    while True:
        print("x" * 65536)
