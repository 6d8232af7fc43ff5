# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test test-all bench lint lock setup clean

demo: setup
	$(BIN)/harness run tasks/suites/demo.toml

test: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n auto

test-all: setup
	$(BIN)/python -m pytest -n auto -m "not benchmark"

bench: setup
	$(BIN)/python -m pytest -m benchmark -s tests/benchmarks

lint: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/mypy

setup: $(VENV)/.ready

$(VENV)/.ready: requirements/dev.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] + "; name another one with make PYTHON=...") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

# Needs uv. One file a set of extras, for every platform, with hashes and without host names.
lock:
	uv pip compile --universal --generate-hashes --no-annotate --no-header --no-emit-index-url --python-version 3.11 \
		pyproject.toml -o requirements/base.txt
	uv pip compile --universal --generate-hashes --no-annotate --no-header --no-emit-index-url --python-version 3.11 \
		--extra dev --extra tiny --extra nightly pyproject.toml -o requirements/dev.txt

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache
