# The README's two commands, and what a developer runs before a commit.
# A virtual environment of its own: nothing on the machine is changed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test lint verify mutants build clean

demo: $(STAMP)
	$(BIN)/attn demo

test: $(STAMP) lint
	$(BIN)/python -m pytest

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

verify: $(STAMP)
	$(BIN)/attn verify

build: $(STAMP)
	$(BIN)/attn build

mutants: $(STAMP)
	$(BIN)/python tests/mutation/run.py

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $(STAMP)

clean:
	rm -rf $(VENV) graded
