# /// attack
# what = "Traces every line of the worker and of the kit's own calls."
# status = "failed"
# ///

import sys


def trace(frame, event, argument):
    frame.f_trace_opcodes = True
    return trace


sys.settrace(trace)
sys.setprofile(trace)


def softmax(x, axis=-1):
    return x
