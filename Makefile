# Draftscope: `make run` opens the app, `make test` runs every check.

MODEL ?= demo
BIN := .venv/bin
# The benchmark of record: every task, each column ROUNDS times.
TASKS ?= all
ROUNDS ?= 9
# MLX's own linear algebra on a Linux CPU is several times slower; elsewhere there is no such file.
OPENBLAS := $(firstword $(wildcard /usr/lib/*/openblas-pthread/libblas.so.3))
# Where a bundle is made, as packaging/build.sh has it.
BUILD := $(or $(DRAFTSCOPE_BUILD),build)
DIST := $(or $(DRAFTSCOPE_DIST),dist)

.PHONY: help run test bench live fix pictures app check-app

help:
	@echo 'make run                   make .venv if needed and open the app'
	@echo 'make run ARGS="..."        the same, with arguments (ARGS=--help lists them)'
	@echo 'make test                  every check: format, lint, types, imports, tests'
	@echo 'make fix                   format the code and repair what the linter can repair'
	@echo 'make bench [MODEL=...]     speculative decoding against mlx-lm (TASKS=all ROUNDS=9)'
	@echo 'make app                   build Draftscope.app (on Linux: dist/draftscope) and check it'
	@echo 'make check-app             check what is in dist'
	@echo 'make live MODEL=folder     the equality tests on a model of yours'

run:
	@sh packaging/environment.sh run
	@$(BIN)/draftscope $(ARGS)

test:
	@sh packaging/environment.sh dev
	@echo 'draftscope: checking the format' && $(BIN)/ruff format --check .
	@echo 'draftscope: linting' && $(BIN)/ruff check .
	@echo 'draftscope: checking the types' && $(BIN)/mypy
	@echo 'draftscope: checking the imports' && $(BIN)/lint-imports
	@echo 'draftscope: running the tests' && QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest $(ARGS)

fix:
	@sh packaging/environment.sh dev
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

bench:
	@sh packaging/environment.sh run
	@LD_PRELOAD="$${LD_PRELOAD:-$(OPENBLAS)}" $(BIN)/python -m engine bench \
		--model "$(MODEL)" --tasks "$(TASKS)" --rounds "$(ROUNDS)" $(ARGS)

live:
	@sh packaging/environment.sh dev
	@QT_QPA_PLATFORM=offscreen DRAFTSCOPE_LIVE_MODEL="$(MODEL)" \
		$(BIN)/python -m pytest tests/live -q -p no:randomly $(ARGS)

pictures:
	@sh packaging/environment.sh run
	@sh packaging/pictures.sh

app:
	@sh packaging/build.sh

check-app:
	@[ -x $(BUILD)/venv/bin/python ] || { echo "draftscope: nothing was built in $(BUILD); run: make app" >&2; exit 1; }
	@$(BUILD)/venv/bin/python packaging/check.py --built-in $(BUILD) \
		$(or $(firstword $(wildcard $(DIST)/Draftscope.app $(DIST)/draftscope)),$(DIST))
