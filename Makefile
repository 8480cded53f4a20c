# Groundwire: every step a person or a build takes. Each target installs what it needs into .venv from a bare Python 3.11+.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet

.PHONY: demo test test-models test-integrations browser lint bench reliability clean help

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-18s %s\n", $$1, $$2}'

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
	$(BIN)/python -m pytest -m 'not models and not integrations'

test-models: $(VENV)/.models ## the tests that need torch: export, training, parity with transformers
	$(BIN)/python -m pytest -m models

# Tests of pages use the system's Chromium and are skipped where there is none.
browser: ## install Debian's Chromium for the tests of pages (needs root)
	@command -v chromium >/dev/null || { apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium; }

# Their requirements contradict one another, so they are installed one by one, ragas apart, and a test whose package is
# absent is skipped.
TOOLS := langchain-core langsmith llama-index-core haystack-ai dspy python-terrier deepeval
RAGAS := ragas 'langchain-community<0.4' 'langchain-core<1' 'langchain-openai<1'
INTO = $(VENV)/$(1)/bin/python -m pip --disable-pip-version-check install --quiet
test-integrations: $(VENV)/.created ## our checker in other projects' own packages, in environments of their own
	$(PYTHON) -m venv $(VENV)/tools && $(call INTO,tools) --editable . pytest
	for tool in $(TOOLS); do $(call INTO,tools) $$tool || true; done
	$(VENV)/tools/bin/python -m pytest -m integrations -rs -k 'not ragas' tests/integrations
	$(PYTHON) -m venv $(VENV)/ragas && $(call INTO,ragas) --editable . pytest $(RAGAS)
	$(VENV)/ragas/bin/python -m pytest -m integrations -rs -k ragas tests/integrations

lint: $(VENV)/.dev ## ruff and mypy --strict
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.bench ## the speed figures of benchmarks/results/
	$(BIN)/python benchmarks/bench_check.py
	$(BIN)/python benchmarks/bench_cost.py
	$(BIN)/python benchmarks/bench_eval.py
	$(BIN)/python benchmarks/bench_serve.py

SIZE ?= medium
reliability: $(VENV)/.dev ## load, kills, damage, failing disks and attacks at SIZE=small, medium or full; strace and root widen it
	$(BIN)/python benchmarks/reliability --size $(SIZE)

clean: ## remove the environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
