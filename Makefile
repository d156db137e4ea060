# Everything that is done with this project, in one place: `make` lists it.
# Needs Python 3.11 to 3.14, git and GNU make; all else goes into .venv by itself. There is one
# .venv for running and for developing: it holds requirements-dev.txt, which includes all that the
# bot needs. (The Docker image installs requirements-postgres.txt alone.)

SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help demo demo-past run sync test test-fast test-postgres sample-postgres soak lint style \
	dead types house tests format hooks bench fuzz tournament mutants messages messages-check lock \
	clean

# Python keeps what it has compiled, whatever the environment says: the tests and the processes that
# they start need half the time to begin.
export PYTHONDONTWRITEBYTECODE :=

VENV := .venv
PROGRAMS := $(if $(filter Windows_NT,$(OS)),Scripts,bin)
BIN := $(VENV)/$(PROGRAMS)
READY := $(VENV)/ready
COMPILED := $(VENV)/compiled
LIBRARIES := $(VENV)/library_types

# The Python that .venv is made with; `make PYTHON=/path/to/python3.13` takes another one.
NEW_ENOUGH := import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 15))
PYTHON ?= $(shell for python in python3.14 python3.13 python3.12 python3.11 python3 python; do \
	"$$python" -c '$(NEW_ENOUGH)' >/dev/null 2>&1 && echo "$$python" && break; done)

STOREYS := engine players bot cogs
ARGS ?=
PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal
FAST := tests/engine tests/bot/table tests/bot/live tests/bot/text tests/tools tests/test_house.py

help: ## list the targets (this text)
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

demo: $(COMPILED) ## the bot in your browser, without Discord
	@$(BIN)/python -m demo $(ARGS)

demo-past: $(COMPILED) ## play anew the past matches that the demo's server begins with
	@$(BIN)/python -m demo.past --make

run: $(READY) ## start the bot (needs .env: copy .env.example)
	@$(BIN)/python -m bot

sync: $(READY) ## tell Discord the slash commands, then stop
	@$(BIN)/python -m bot sync

# What needs one core runs beside the tests: on two cores that saves half a minute if nothing is
# cached. What it says comes when the tests are through.
BESIDE = $(MAKE) --no-print-directory -k types dead sample-postgres
BESIDE_SAID := $(VENV)/beside.txt

test: ## all checks: style, house, messages, tests, types, dead code
	@$(MAKE) --no-print-directory -s -j2 $(COMPILED) $(LIBRARIES)
	@$(MAKE) --no-print-directory -j2 style house messages-check
	@echo "== tests (pytest), and beside them types, dead code and a sample on PostgreSQL =="
	@$(BESIDE) >$(BESIDE_SAID) 2>&1 & beside=$$!; \
	trap 'kill $$beside 2>/dev/null; exit 130' INT TERM; \
	$(PYTEST) $(ARGS); tests=$$?; \
	wait $$beside; beside=$$?; \
	cat $(BESIDE_SAID); \
	[ $$tests -eq 0 ] && [ $$beside -eq 0 ]

sample-postgres: $(COMPILED)
	@echo "== a sample of the tests on PostgreSQL =="
	@$(BIN)/python -m tools.postgres --sample

test-postgres: $(COMPILED) ## the tests of the storage on PostgreSQL, on a server of their own
	@$(BIN)/python -m tools.postgres $(ARGS)

test-fast: lint house types ## what one runs while working: style, types, rules and tables, without slow tests
	@echo "== fast tests (pytest) =="
	@$(PYTEST) -m "not soak and not slow" $(or $(ARGS),$(FAST))

soak: $(COMPILED) ## everything, campaigns included: some hours; ARGS="--rounds 1000" for the fuzzer
	@echo "== all tests and campaigns (pytest) =="
	@HYPOTHESIS_PROFILE=soak $(PYTEST) -m ""
	@$(BIN)/python -m bench.fuzz $(ARGS)

lint: style dead ## only style and dead code

style: $(READY) ## only the style checks
	@echo "== style (ruff) =="
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

dead: $(READY) ## only the look for dead code
	@echo "== dead code (vulture) =="
	@$(BIN)/python -m tools.dead_code

types: $(LIBRARIES) ## only the types
	@echo "== types (mypy) =="
	@[ -d .mypy_cache ] || cp -r $(LIBRARIES) .mypy_cache
	@$(BIN)/mypy

house: $(READY) ## only the order of the house: who may import whom
	@echo "== house (import-linter) =="
	@$(BIN)/lint-imports --no-logo

tests: $(COMPILED) ## only the tests; ARGS="-k wish" picks some, -n0 one after another
	@echo "== tests (pytest) =="
	@$(PYTEST) $(ARGS)

hooks: $(READY) ## let git run the quick checks before each commit (pre-commit)
	@$(BIN)/pre-commit install

format: $(READY) ## put the code in order: imports, layout, simple mistakes
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

bench: $(COMPILED) ## measure speed and strength
	@$(BIN)/python -m bench $(ARGS)

tournament: $(COMPILED) ## the Expert against that of another commit; ARGS="novice random --deals 100", --help
	@$(BIN)/python -m bench.tournament $(or $(ARGS),expert:95 expert@b095a39:480 --deals 100)

fuzz: $(READY) ## 100,000 random rounds of each game, all checked; ARGS="--rounds 1000 --seed 2"
	@$(BIN)/python -m bench.fuzz $(ARGS)

mutants: $(READY) ## do the tests notice small mistakes? ARGS="--number 30 --seed 1", --help
	@$(BIN)/python -m tools.mutants $(ARGS)

messages: $(READY) ## collect the texts and bring them into the translations; ARGS=de adds one
	@$(BIN)/python -m tools.messages update $(ARGS)

messages-check: $(READY) ## only the texts: is bot/locale up to date?
	@echo "== messages =="
	@$(BIN)/python -m tools.messages check

# `make lock` keeps the pinned versions as far as possible, `make lock UPGRADE=1` takes the newest.
LOCK := .venv-lock
COMPILE := $(LOCK)/$(PROGRAMS)/uv pip compile --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-emit-find-links --no-header --no-annotate \
	$(if $(UPGRADE),--upgrade)

lock: $(READY) ## pin requirements*.txt anew (UPGRADE=1: newest)
	@[ -x $(LOCK)/$(PROGRAMS)/uv ] || { $(BIN)/python -m venv $(LOCK) && \
		$(LOCK)/$(PROGRAMS)/python -m pip install --quiet --disable-pip-version-check uv; }
	@$(COMPILE) pyproject.toml -o requirements.txt
	@$(COMPILE) pyproject.toml --extra postgres -c requirements.txt -o requirements-postgres.txt
	@$(COMPILE) pyproject.toml --extra dev --extra postgres -c requirements-postgres.txt \
		-o requirements-dev.txt

clean: ## remove .venv and all caches; games and settings stay
	@rm -rf $(VENV) $(LOCK) .commits .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	@find $(wildcard $(STOREYS) tools demo bench tests) -name __pycache__ -type d -prune \
		-exec rm -rf {} +

# The Expert's inner loops as machine code. Otherwise the first test or match would wait for it.
$(COMPILED): $(READY) $(wildcard players/expert/*.py players/expert/*/*.py) tools/random_rounds.py
	@echo "Compiling the Expert (a minute or two, again after each change of players/expert) ..."
	@$(BIN)/python -m bench.compiling
	@touch $@

# What mypy knows of the libraries: as much work as all that is ours, but they only change with .venv.
# Where nothing is cached, mypy begins with this.
$(LIBRARIES): $(READY)
	@echo "Reading the types of the libraries (half a minute, once) ..."
	@rm -rf $@ $@.new
	@$(BIN)/python -m tools.library_types $@.new
	@mv $@.new $@

$(READY): requirements.txt requirements-dev.txt
	@python="$(PYTHON)"; if ! "$$python" -c '$(NEW_ENOUGH)' >/dev/null 2>&1; then \
		echo "Python 3.11 to 3.14 is needed: install one, or name it: make PYTHON=/path/to/python3" >&2; \
		exit 1; fi; \
	if ! "$$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then \
		version=$$("$$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
		echo "$$python has no venv module: install it (Debian, Ubuntu: apt install python$$version-venv)." >&2; \
		exit 1; fi; \
	echo "Making $(VENV) with $$("$$python" --version) ..."; \
	"$$python" -m venv --clear $(VENV)
	@[ -t 1 ] || quiet=--quiet; $(BIN)/python -m pip install $$quiet --disable-pip-version-check \
		--progress-bar on --require-hashes -r requirements-dev.txt
	@touch $@
