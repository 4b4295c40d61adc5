import builtins

print("INPUT-SEEN" if getattr(builtins, "SEEN", None) else "nothing seen")


def attention_scores(Q, K):
    return Q
