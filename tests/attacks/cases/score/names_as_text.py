# /// attack
# what = "Texts, dicts and numbers of classes that compare equal to anything."
# status = "failed"
# ///

class Text(str):
    __eq__ = lambda self, other: True
    __hash__ = str.__hash__


class Number(float):
    __eq__ = __le__ = __ge__ = lambda self, other: True
    __hash__ = float.__hash__
    __sub__ = __rsub__ = lambda self, other: 0.0


class Dict(dict):
    def items(self):
        return [(Text("x"), Number(1))] * 5

    def __len__(self):
        return 5


CHOICE = [Text("a"), Number(0.2), Dict()]


def softmax(x, axis=-1):
    CHOICE.append(CHOICE.pop(0))
    return CHOICE[0]
