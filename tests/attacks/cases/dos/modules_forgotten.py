# /// attack
# what = "Forgets every module, then empties every dict that it can find."
# status = "any"
other = "any"
# ///

import gc
import sys

sys.modules.clear()
for each in gc.get_objects():
    if type(each) is dict and "softmax" in str(each.keys()):
        each.clear()
