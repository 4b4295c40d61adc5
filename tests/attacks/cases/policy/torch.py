# /// attack
# what = "Uses another package that does the exercise's work."
# status = "error"
# ///

import torch


def softmax(x, axis=-1):
    return torch.softmax(torch.tensor(x), axis).numpy()
