# Groundwire: every step a person or a build takes. Each target installs what it needs into .venv from a bare Python 3.11+.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet

.PHONY: demo test test-models lint bench reliability clean help

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

$(VENV)/.created:
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "error: Python 3.11 or later is needed (hint: make PYTHON=python3.11 ...)")'
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.core: $(VENV)/.created pyproject.toml
	$(PIP) --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.core
	$(PIP) --editable '.[dev]'
	@touch $@

$(VENV)/.models: $(VENV)/.dev
	$(PIP) --editable '.[dev,models,train]' 'transformers[serving]'
	@touch $@

$(VENV)/.bench: $(VENV)/.models
	$(PIP) --editable '.[dev,train,bench]'
	@touch $@

demo: $(VENV)/.core ## set up, then check real answers against real passages, offline
	@$(BIN)/groundwire demo

test: $(VENV)/.dev lint ## lint, types and every test that needs no torch
	$(BIN)/python -m pytest -m 'not models'

test-models: $(VENV)/.models ## the tests that need torch: export, training, parity with transformers
	$(BIN)/python -m pytest -m models

lint: $(VENV)/.dev ## ruff and mypy --strict
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.bench ## the speed figures of benchmarks/results/
	$(BIN)/python benchmarks/bench_check.py
	$(BIN)/python benchmarks/bench_cost.py

SIZE ?= medium
reliability: $(VENV)/.dev ## kills, damage, failing disks and attacks at SIZE=small, medium or full; strace and root widen it
	$(BIN)/python benchmarks/reliability --size $(SIZE)

clean: ## remove the environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
