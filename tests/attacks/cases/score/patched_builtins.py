# /// attack
# what = "Overwrites the builtins that a judge may use."
# status = "error"
# other = "any"
# ///

import builtins

builtins.isinstance = lambda *a: True
builtins.len = lambda *a: 3
builtins.all = builtins.any = lambda *a: True


def softmax(x, axis=-1):
    return x * 0
