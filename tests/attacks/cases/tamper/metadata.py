# /// attack
# what = "Changes mode, times and attributes of others' files, and removes them."
# status = "failed"
# needs = "L2"
# ///

import os

place = "{CLASS}/a-right/attention_scores.py"
for change in (
    lambda: os.chmod(place, 0o666),
    lambda: os.utime(place, (0, 0)),
    lambda: os.setxattr(place, "user.late", b"no"),
    lambda: os.chown(place, 0, 0),
    lambda: os.rename(place, place + "x"),
    lambda: os.unlink(place),
    lambda: os.link(place, "{CLASS}/link"),
    lambda: os.symlink("/etc/passwd", "{CLASS}/symlink"),
    lambda: os.truncate(place, 0),
):
    try:
        change()
        print("BROKE")
    except OSError:
        pass


def softmax(x, axis=-1):
    return x * 0
