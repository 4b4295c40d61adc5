# /// attack
# what = "Imports the kit's graders, bank and solutions."
# status = "failed"
# needs = "L2"
# ///

import importlib
import sys

sys.path[:0] = ["{ROOT}", "{ROOT}/solutions", "{ROOT}/autograder/graders"]
importlib.invalidate_caches()
for name in ("autograder.grade", "autograder.expect", "test_softmax", "attention_scores_ref", "pytest"):
    try:
        importlib.import_module(name)
        print("BROKE", name)
    except ImportError:
        pass


def softmax(x, axis=-1):
    return x * 0
