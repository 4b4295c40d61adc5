# /// attack
# what = "Full-width letters hide a name from a text search."
# status = "failed"
# needs = "L2"
# ///

ｉｍｐｏｒｔ_ = __import__
try:
    ｉｍｐｏｒｔ_("os").system("touch {CLASS}/BROKE")
except OSError:
    pass


def softmax(x, axis=-1):
    return x * 0
