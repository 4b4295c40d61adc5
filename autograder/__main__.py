"""Run the command `attn` as ``python -m autograder``."""

from autograder.cli import main

main()
