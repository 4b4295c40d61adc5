# The README's two commands, and what a developer runs before a commit.
# They work in a virtual environment of their own: nothing on the machine is changed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
KIT := $(VENV)/.kit
DEV := $(VENV)/.dev

.PHONY: demo test lint build verify mutants clean

demo: $(KIT)
	$(BIN)/attn demo
	@echo "Next: . $(BIN)/activate, then attn --help"

# Hundreds of tests start the kit anew: from byte code, as users do.
unexport PYTHONDONTWRITEBYTECODE

test: lint
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile --no-loadscope-reorder

lint: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

build: $(DEV)
	$(BIN)/attn build

verify: $(DEV)
	$(BIN)/attn verify

mutants: $(DEV)
	$(BIN)/python tests/mutation/run.py

$(KIT): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[build]'
	touch $@

$(DEV): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) graded
