# /// attack
# what = "Returns containers that hold themselves, far too deep, or with strange keys."
# status = "any"
# ///

import itertools

ROUND = []
ROUND.append(ROUND)
DEEP = []
for _ in range(100_000):
    DEEP = [DEEP]
ANSWERS = itertools.cycle([ROUND, DEEP, {None: {1: {2: object()}}}, {"x" * 10**6: 1}, 10**6000])


def softmax(x, axis=-1):
    return next(ANSWERS)
