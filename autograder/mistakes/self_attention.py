"""Wrong classes: what is drawn once, what is made for each sentence, and how they meet."""

import math
from typing import ClassVar

import numpy as np

from autograder.chain import Chain

from . import project_qkv as projections
from . import scaled_dot_product_attention as earlier

PROJECTIONS = (
    "P-XT P-ELEMENT P-SAME-W P-QK-SWAP P-KV-SWAP P-V-RAW P-Q-RAW P-K-RAW P-V-BY-WK P-V-BY-WQ "
    "P-CHAIN P-ONE-W C-BATCH"
).split()
ATTENTION = (
    "SCORES-KQT SCORES-NOT SCORES-QQ COSINE SCORES-QV SCALE-NONE SCALE-DK SCALE-SQRT-NK "
    "SCALE-SQRT-DV SCALE-MULT SCALE-QUARTER SCALE-AFTER C-BATCH"
).split()
SOFTMAX = (
    "SM-AXIS0 SM-AXIS1-HARD SM-GLOBAL SOFTMAX-MISSING SM-NO-NORM SM-DIV-MAX SM-SIGMOID SM-HARDMAX "
    "ATT-UNIFORM SCALE-AFTER SM-TWICE"
).split()

forward = Chain("SelfAttention", "X", "W_q", "W_k", "W_v")
forward.borrow(projections.project_qkv, "Q", "K", "V", only=PROJECTIONS)


@forward.stages["Q"].wrong("SA-NO-PROJECTION", K=lambda X: X, V=lambda X: X)
def sentence_itself(X):
    return X


forward.borrow(earlier.attention, "scores", "scaled", only=ATTENTION)


@forward.stages["scaled"].wrong("H-SCALE-DMODEL")
def by_root_d_model(scores, X):
    return scores / math.sqrt(X.shape[-1])


forward.borrow(earlier.attention, "logits")
forward.borrow(earlier.attention, "weights", only=SOFTMAX)
forward.borrow(earlier.attention, "output")
forward.borrow(
    earlier.attention, "returned", only="C-SWAP C-TUPLE RET-SCORES C-ROUND C-NONE".split()
)
returned = forward.stages["returned"]


@returned.wrong("C-INT")
def array_like_x(output, weights, X):
    return output.astype(X.dtype), weights


@returned.wrong("SA-RESIDUAL")
def sentence_added(output, weights, X):
    return output + X, weights


class Drawn:
    """A constructor that is right, for classes that differ in one thing."""

    def __init__(self, d_model, d_k, d_v, seed=42):
        self.draw(np.random.default_rng(seed), d_model, d_k, d_v)

    def draw(self, rng, d_model, d_k, d_v):
        self.W_q = rng.normal(0, math.sqrt(2 / (d_model + d_k)), (d_model, d_k))
        self.W_k = rng.normal(0, math.sqrt(2 / (d_model + d_k)), (d_model, d_k))
        self.W_v = rng.normal(0, math.sqrt(2 / (d_model + d_v)), (d_model, d_v))

    def forward(self, X):
        return right(X, self.W_q, self.W_k, self.W_v)


@forward.defined_by
def as_class(run):
    class SelfAttention(Drawn):
        def forward(self, X):
            return run(X, self.W_q, self.W_k, self.W_v)

    return SelfAttention


def right(X, W_q, W_k, W_v):
    """Attend as the reference does."""
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    weights = earlier.soft(Q @ np.swapaxes(K, -1, -2) / math.sqrt(K.shape[-1]))
    return weights @ V, weights


# Its numbers differ at every run, by what it is: what is told of it is its code alone.
@forward.replaced("SA-REINIT", state=True)
class DrawsInForward(Drawn):
    def forward(self, X):
        self.draw(np.random.default_rng(), X.shape[-1], self.W_q.shape[-1], self.W_v.shape[-1])
        return super().forward(X)


@forward.replaced("SA-OWN-WEIGHTS", state=True)
class DrawsAgainFromTheSeed(Drawn):
    def forward(self, X):
        self.draw(np.random.default_rng(42), X.shape[-1], self.W_q.shape[-1], self.W_v.shape[-1])
        return super().forward(X)


@forward.replaced("SA-GLOBAL-SEED", state=True)
class SeedsTheGlobalGenerator(Drawn):
    def __init__(self, d_model, d_k, d_v, seed=42):
        np.random.seed(seed)
        self.draw(np.random, d_model, d_k, d_v)


@forward.replaced("SA-SEED-IGNORED", state=True)
class AlwaysTheSameSeed(Drawn):
    def __init__(self, d_model, d_k, d_v, seed=42):
        self.draw(np.random.default_rng(42), d_model, d_k, d_v)


@forward.replaced("SA-SEED-UNUSED", state=True)
class NeverTheSameWeights(Drawn):
    def __init__(self, d_model, d_k, d_v, seed=42):
        self.draw(np.random.default_rng(), d_model, d_k, d_v)


@forward.replaced("SA-SHARED", state=True)
class KeepsTheWeightsInTheClass(Drawn):
    def draw(self, rng, d_model, d_k, d_v):
        cls = type(self)
        cls.W_q = rng.normal(0, math.sqrt(2 / (d_model + d_k)), (d_model, d_k))
        cls.W_k = rng.normal(0, math.sqrt(2 / (d_model + d_k)), (d_model, d_k))
        cls.W_v = rng.normal(0, math.sqrt(2 / (d_model + d_v)), (d_model, d_v))


@forward.replaced("SA-SHARED", state=True)
class EveryObjectHasTheSameAttributes(Drawn):
    shared: ClassVar = {}

    def __init__(self, d_model, d_k, d_v, seed=42):
        self.__dict__ = self.shared
        super().__init__(d_model, d_k, d_v, seed)


@forward.replaced("SA-CLONES", state=True)
class OneGeneratorEach(Drawn):
    def draw(self, rng, d_model, d_k, d_v):
        seed = int(rng.integers(1000))
        self.W_q = np.random.default_rng(seed).normal(
            0, math.sqrt(2 / (d_model + d_k)), (d_model, d_k)
        )
        self.W_k = np.random.default_rng(seed).normal(
            0, math.sqrt(2 / (d_model + d_k)), (d_model, d_k)
        )
        self.W_v = np.random.default_rng(seed).normal(
            0, math.sqrt(2 / (d_model + d_v)), (d_model, d_v)
        )


@forward.replaced("SA-SCALE", state=True)
class StandardNormal(Drawn):
    def draw(self, rng, d_model, d_k, d_v):
        self.W_q = rng.normal(size=(d_model, d_k))
        self.W_k = rng.normal(size=(d_model, d_k))
        self.W_v = rng.normal(size=(d_model, d_v))


@forward.replaced("SA-SCALE", state=True)
class VerySmall(Drawn):
    def draw(self, rng, d_model, d_k, d_v):
        self.W_q = rng.normal(0, 0.01, (d_model, d_k))
        self.W_k = rng.normal(0, 0.01, (d_model, d_k))
        self.W_v = rng.normal(0, 0.01, (d_model, d_v))


@forward.replaced("SA-SCALE", state=True)
class NeverNegative(Drawn):
    def draw(self, rng, d_model, d_k, d_v):
        self.W_q = rng.random((d_model, d_k))
        self.W_k = rng.random((d_model, d_k))
        self.W_v = rng.random((d_model, d_v))


@forward.replaced("SA-SCALE", state=True)
class AllZeros(Drawn):
    def draw(self, rng, d_model, d_k, d_v):
        self.W_q = np.zeros((d_model, d_k))
        self.W_k = np.zeros((d_model, d_k))
        self.W_v = np.zeros((d_model, d_v))


@forward.replaced("C-SHAPE", state=True)
class MatricesTurned(Drawn):
    def draw(self, rng, d_model, d_k, d_v):
        super().draw(rng, d_model, d_k, d_v)
        self.W_q, self.W_k, self.W_v = self.W_q.T, self.W_k.T, self.W_v.T


@forward.replaced("C-SHAPE", state=True)
class ValuesAsWideAsKeys(Drawn):
    def __init__(self, d_model, d_k, d_v, seed=42):
        super().__init__(d_model, d_k, d_k, seed)


@forward.replaced("C-MUTATE", state=True)
class CentresInPlace(Drawn):
    def forward(self, X):
        output, weights = super().forward(X)
        X -= X.mean(axis=-1, keepdims=True).astype(X.dtype)
        return output, weights


forward.same_numbers("SM-NO-NORM", "SM-DIV-MAX", common="EQ-SM-LARGEST-ONE")
forward.same_numbers("P-QK-SWAP", "SCORES-KQT", common="EQ-QK-SWAP")
forward.same_numbers("P-SAME-W", "SCORES-QQ", common="EQ-SAME-QK")
forward.same_numbers("P-V-BY-WK", "OUT-K", common="EQ-V-K")
forward.same_numbers("P-V-BY-WQ", "OUT-Q", common="EQ-V-Q")
forward.shows("weights", 1)
forward.in_pairs(
    "P-SAME-W P-QK-SWAP P-KV-SWAP P-V-RAW P-V-BY-WK SCORES-KQT SCALE-NONE SCALE-DK SCALE-SQRT-NK"
    " SCALE-MULT SCALE-AFTER H-SCALE-DMODEL SM-AXIS0 SM-GLOBAL SOFTMAX-MISSING SM-NO-NORM OUT-WT-V"
    " OUT-SCORES-V C-SWAP C-TUPLE C-ROUND"
)
