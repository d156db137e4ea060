# All tasks of this project; `make` lists the targets.
# Needs Python 3.11 to 3.14, git and GNU make. Everything else is installed into .venv. The bot itself
# runs in .venv-run, which has the packages of the Docker image: no tools for tests beside the token.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help demo demo-past run rehearse sync test test-fast test-postgres sample-postgres soak lint style \
	words dead types imports tests coverage format hooks bench fuzz tournament mutants messages messages-check \
	wheel lock site clean

# Enable bytecode caching regardless of the environment: it halves the start-up time of the tests
# and of the processes that they start.
export PYTHONDONTWRITEBYTECODE :=

VENV := .venv
PROGRAMS := $(if $(filter Windows_NT,$(OS)),Scripts,bin)
BIN := $(VENV)/$(PROGRAMS)
READY := $(VENV)/ready
RUN := .venv-run
RUN_READY := $(RUN)/ready
COMPILED := $(VENV)/compiled
LIBRARIES := $(VENV)/library_types

# Interpreter of the environments; `make PYTHON=/path/to/python3.13` selects another one.
NEW_ENOUGH := import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 15))
PYTHON ?= $(shell for python in python3.14 python3.13 python3.12 python3.11 python3 python; do \
	"$$python" -c '$(NEW_ENOUGH)' >/dev/null 2>&1 && echo "$$python" && break; done)

LAYERS := engine players bot cogs
ARGS ?=
MINUTES ?= 60
PYTEST_RUN := -m pytest -n auto --dist worksteal
PYTEST := $(BIN)/python $(PYTEST_RUN)
FAST := tests/engine tests/bot/table tests/bot/live tests/bot/text tests/tools tests/test_architecture.py

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

demo: $(COMPILED) ## run the bot in the browser, without Discord
	@$(BIN)/python -m demo $(ARGS)

demo-past: $(COMPILED) ## regenerate the past matches of the demo's server
	@$(BIN)/python -m demo.past --make

run: $(RUN_READY) ## start the bot (needs .env; copy .env.example)
	@$(RUN)/$(PROGRAMS)/python -m bot

rehearse: $(RUN_READY) ## restore the continuous copy to a temporary file, and check it (docs/operating.md)
	@set -a; . ./litestream.env; folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && \
	litestream restore -config litestream.yml -o "$$folder/tichu.db" "$$DATABASE" && \
	$(RUN)/$(PROGRAMS)/python -m bot check --file "$$folder/tichu.db"

sync: $(RUN_READY) ## register the slash commands at Discord, then exit
	@$(RUN)/$(PROGRAMS)/python -m bot sync

# Single-core checks run in parallel to the tests: on two cores that saves half a minute without
# caches. Their output is printed after the tests.
PARALLEL = $(MAKE) --no-print-directory -k types dead sample-postgres
PARALLEL_OUTPUT := $(VENV)/parallel.txt

test: ## run all checks: style, words, docs, imports, messages, tests, types, dead code
	@$(MAKE) --no-print-directory -s -j2 $(COMPILED) $(LIBRARIES)
	@$(MAKE) --no-print-directory -j2 style words site imports messages-check
	@echo "== tests (pytest); in parallel: types, dead code, a sample on PostgreSQL =="
	@$(PARALLEL) >$(PARALLEL_OUTPUT) 2>&1 & parallel=$$!; \
	trap 'kill $$parallel 2>/dev/null; exit 130' INT TERM; \
	$(PYTEST) $(ARGS); tests=$$?; \
	wait $$parallel; parallel=$$?; \
	cat $(PARALLEL_OUTPUT); \
	[ $$tests -eq 0 ] && [ $$parallel -eq 0 ]

sample-postgres: $(COMPILED)
	@echo "== sample of the tests (PostgreSQL) =="
	@$(BIN)/python -m tools.postgres --sample

test-postgres: $(COMPILED) ## run the tests of storage and open tables on a temporary PostgreSQL server
	@$(BIN)/python -m tools.postgres $(ARGS)

test-fast: lint imports types ## run quick checks: style, types, imports, tests of rules and tables
	@echo "== fast tests (pytest) =="
	@$(PYTEST) -m "not soak and not slow" $(or $(ARGS),$(FAST))

soak: $(COMPILED) ## run all tests and campaigns (hours); ARGS="--rounds 1000" for the fuzzer, MINUTES=5
	@echo "== all tests and campaigns (pytest) =="
	@HYPOTHESIS_PROFILE=soak $(PYTEST) -m ""
	@$(BIN)/python -m bench.fuzz $(ARGS)
	@echo "== computers of boards: the same in code for any processor (bench.daily) =="
	@$(BIN)/python -m bench.daily choices 5000 --generic
	@echo "== tournaments: 5,000, and an exhaustive search (bench.club) =="
	@$(BIN)/python -m bench.club pairings 5000
	@echo "== service level (bench.level, $(MINUTES) minutes) =="
	@$(BIN)/python -m bench.level --minutes $(MINUTES)

lint: style words site dead ## check style, words, docs and dead code

style: $(READY) ## check style and format
	@echo "== style (ruff) =="
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

words: $(READY) ## check code and docs for words with a standard term (tools/words.tsv)
	@echo "== words (tools.words) =="
	@$(BIN)/python -m tools.words

site: $(READY) ## build the documentation in site/, and check its links
	@echo "== documentation (zensical) =="
	@$(BIN)/python -m tools.site

dead: $(READY) ## check for dead code
	@echo "== dead code (vulture) =="
	@$(BIN)/python -m tools.dead_code

types: $(LIBRARIES) ## check types
	@echo "== types (mypy) =="
	@[ -d .mypy_cache ] || cp -r $(LIBRARIES) .mypy_cache
	@$(BIN)/mypy

imports: $(READY) ## check imports between layers and packages
	@echo "== imports (import-linter) =="
	@$(BIN)/lint-imports --no-logo

tests: $(COMPILED) ## run the tests; ARGS="-k wish" selects, ARGS=-n0 runs them serially
	@echo "== tests (pytest) =="
	@$(PYTEST) $(ARGS)

coverage: $(COMPILED) ## run the tests and print the share of lines that they run, without a minimum
	@$(BIN)/coverage erase
	@$(BIN)/coverage run $(PYTEST_RUN) $(ARGS)
	@$(BIN)/coverage combine --quiet
	@echo "Coverage: $$($(BIN)/coverage report --format=total) % of the lines" | \
		tee -a "$${GITHUB_STEP_SUMMARY:-/dev/null}"

hooks: $(READY) ## install the quick checks as git hooks: before a commit, and of its subject
	@$(BIN)/pre-commit install

format: $(READY) ## format the code and fix simple mistakes
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

bench: $(COMPILED) ## measure speed and strength
	@$(BIN)/python -m bench $(ARGS)

tournament: $(COMPILED) ## play the Expert against that of another commit; ARGS="novice random --deals 100", --help
	@$(BIN)/python -m bench.tournament $(or $(ARGS),expert:95 expert@b095a39:480 --deals 100)

fuzz: $(READY) ## play 100,000 random rounds of each game with all checks; ARGS="--rounds 1000 --seed 2"
	@$(BIN)/python -m bench.fuzz $(ARGS)

mutants: $(READY) ## run a sample of mutation tests; ARGS="--number 30 --seed 1", --help
	@$(BIN)/python -m tools.mutants $(ARGS)

messages: $(READY) ## extract the texts and update all catalogues; ARGS=de adds one
	@$(BIN)/python -m tools.messages update $(ARGS)

messages-check: $(READY) ## check that the catalogues are up to date
	@echo "== messages =="
	@$(BIN)/python -m tools.messages check

PACKAGING := .venv-wheel

wheel: $(READY) ## build the engine as the package tichu-engine, with API pages, in dist/
	@[ -x $(PACKAGING)/$(PROGRAMS)/pdoc ] || { $(BIN)/python -m venv $(PACKAGING) && \
		$(PACKAGING)/$(PROGRAMS)/python -m pip install --quiet --disable-pip-version-check hatchling pdoc; }
	@rm -rf dist
	@$(PACKAGING)/$(PROGRAMS)/python -m pip wheel --quiet --disable-pip-version-check --no-deps \
		--no-build-isolation --wheel-dir dist ./engine
	@$(PACKAGING)/$(PROGRAMS)/python -m pip install --quiet --disable-pip-version-check --no-index \
		--force-reinstall dist/*.whl
	@$(PACKAGING)/$(PROGRAMS)/python -W ignore -m pdoc --no-show-source -o dist/api \
		tichu_engine tichu_engine.fair_deal
	@ls dist/*.whl dist/api/index.html

# `make lock` keeps pinned versions where possible; `make lock UPGRADE=1` takes the newest.
LOCK := .venv-lock
COMPILE := $(LOCK)/$(PROGRAMS)/uv pip compile --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-emit-find-links --no-header --no-annotate \
	$(if $(UPGRADE),--upgrade)

lock: $(READY) ## update the pinned versions in requirements*.txt (UPGRADE=1: newest)
	@[ -x $(LOCK)/$(PROGRAMS)/uv ] || { $(BIN)/python -m venv $(LOCK) && \
		$(LOCK)/$(PROGRAMS)/python -m pip install --quiet --disable-pip-version-check uv; }
	@$(COMPILE) pyproject.toml -o requirements.txt
	@$(COMPILE) pyproject.toml --extra postgres -c requirements.txt -o requirements-postgres.txt
	@$(COMPILE) pyproject.toml --extra dev --extra postgres -c requirements-postgres.txt \
		-o requirements-dev.txt

clean: ## remove the environments and all caches, but no data or settings
	@rm -rf $(VENV) $(RUN) $(LOCK) $(PACKAGING) dist site .cache .commits .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	@find $(wildcard $(LAYERS) tools demo bench tests) -name __pycache__ -type d -prune \
		-exec rm -rf {} +

# Compile the Expert's inner loops ahead of time, so that neither tests nor matches wait for it.
$(COMPILED): $(READY) $(wildcard players/expert/*.py players/expert/*/*.py) tools/random_rounds.py
	@echo "Compiling the Expert (one or two minutes, after each change of players/expert) ..."
	@$(BIN)/python -m bench.compiling
	@touch $@

# mypy's cache for the libraries. It takes as long as that of our own code, but changes only with .venv.
# It is the initial cache where there is none.
$(LIBRARIES): $(READY)
	@echo "Caching the types of the libraries (half a minute, once) ..."
	@rm -rf $@ $@.new
	@$(BIN)/python -m tools.library_types $@.new
	@mv $@.new $@

$(READY): requirements.txt requirements-dev.txt
	$(call environment,$(VENV),requirements-dev.txt)

$(RUN_READY): requirements-postgres.txt
	$(call environment,$(RUN),requirements-postgres.txt)

# Create a virtual environment with exactly the packages of a file.
define environment
	@python="$(PYTHON)"; if ! "$$python" -c '$(NEW_ENOUGH)' >/dev/null 2>&1; then \
		echo "Python 3.11 to 3.14 is needed: install one, or name it: make PYTHON=/path/to/python3" >&2; \
		exit 1; fi; \
	if ! "$$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then \
		version=$$("$$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
		echo "$$python has no venv module: install it (Debian, Ubuntu: apt install python$$version-venv)." >&2; \
		exit 1; fi; \
	if [ -L $(1) ]; then \
		echo "$(1) is a link, and what it leads to would be cleared: remove the link first." >&2; \
		exit 1; fi; \
	echo "Creating $(1) with $$("$$python" --version) ..."; \
	"$$python" -m venv --clear $(1)
	@[ -t 1 ] || quiet=--quiet; $(1)/$(PROGRAMS)/python -m pip install $$quiet \
		--disable-pip-version-check --progress-bar on --require-hashes -r $(2)
	@touch $@
endef
