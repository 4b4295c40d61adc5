"""Makes Matplotlib ready in the zygote: loaded and warmed, so that no notebook pays for it.

This runs inside the worker and its zygote. What a cell shows is not known here.
"""

from __future__ import annotations

import io
from typing import Any


def make_ready(shell: Any) -> bool:
    """Load all that a first plot would load; False where Matplotlib is not installed."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("module://matplotlib_inline.backend_inline")
    shell.run_line_magic("matplotlib", "inline")  # loads what it takes
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2)
    figure.colorbar(left.imshow([[1.0, 0.0], [0.0, 1.0]]))
    right.plot([1, 2], label="x")
    right.legend()
    right.set_title("$x$")
    figure.savefig(io.BytesIO(), format="png", bbox_inches="tight")
    plt.close("all")
    return True
