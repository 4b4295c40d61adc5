# /// attack
# what = "Reads the memory of its ancestors, by every door."
# status = "failed"
# needs = "L2"
# ///

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
pid = os.getppid()
if libc.ptrace(16, pid, 0, 0) == 0:
    print("BROKE ptrace")
buffer = ctypes.create_string_buffer(8)


class Piece(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]


here, there = Piece(ctypes.addressof(buffer), 8), Piece(id(pid), 8)
if libc.process_vm_readv(pid, ctypes.byref(here), 1, ctypes.byref(there), 1, 0) > 0:
    print("BROKE process_vm_readv")
try:
    open(f"/proc/{pid}/mem", "rb").close()
    print("BROKE mem")
except OSError:
    pass


def softmax(x, axis=-1):
    return x * 0
