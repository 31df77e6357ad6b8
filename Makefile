# Two commands to start with: `make run` and `make test`. Each sets up all it needs in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: install run test browser test-interpreted test-bounds coverage check format bench verify docs gallery clean

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "bloodbattle needs Python 3.11 or later; name one with: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $(READY)

install: $(READY)  ## set up .venv with the project and its tools

run: $(READY)  ## play the first-look experiment over the three presets
	$(BIN)/bloodbattle run configs/experiments/first-look.toml

test: $(READY)  ## all tests but the slow ones
	$(BIN)/python -m pytest -q

browser:  ## what tests of pages need: Chromium and its driver (Debian), axe-core (npm); without it they are skipped
	@command -v chromium >/dev/null && command -v chromedriver >/dev/null || \
	    { apt-get update -qq && apt-get install -y -qq chromium chromium-driver; }
	@test -f .browser/node_modules/axe-core/axe.min.js || \
	    npm install --silent --no-audit --no-fund --no-package-lock --prefix .browser axe-core@4.14.1

# What looks at kernels. Interpreted, these tests take fewer samples; with bounds checks, as many as ever.
STRATEGY_TESTS := $(wildcard tests/unit/test_*strateg*.py) tests/cli/test_strategies_cli.py tests/examples
KERNEL_TESTS := tests/property tests/golden tests/perft tests/differential $(STRATEGY_TESTS) \
    $(wildcard tests/unit/test_hand*.py tests/unit/test_fan*.py) tests/unit/test_tiles.py \
    $(addprefix tests/unit/test_,ladder_kernels.py ladder_match.py ladder_queue.py ladder_clock.py ratings_kernels.py)

test-interpreted: $(READY)  ## kernels and strategies as plain Python: every line and branch is reached
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q --cov --cov-report= --cov-fail-under=0 $(KERNEL_TESTS)
	$(BIN)/python -m pytest -q --cov --cov-append --cov-report=term-missing:skip-covered $(STRATEGY_TESTS) \
	    tests/property/test_mistakes.py  # compiled once more, for what is there only to compile

test-bounds: $(READY)  ## kernels and strategies with every index checked
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -q $(KERNEL_TESTS)

coverage: test-interpreted  ## the same as pages: htmlcov/index.html
	$(BIN)/coverage html

check: $(READY)  ## format, lint, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(READY)  ## deals per second, start-up times, memory
	$(BIN)/bloodbattle bench

verify: $(READY)  ## everything, the long tests too
	$(BIN)/python -m pytest -q -m 'slow or not slow'

docs: $(READY)  ## write the generated pages again
	$(BIN)/python -m sim.rules.document > docs/presets.md
	$(BIN)/python -m sim.statistics.document > docs/results.md
	$(BIN)/python -m sim.statistics.dictionary > docs/metrics.md

GALLERY := docs/gallery
RUNS := runs/gallery
PLAY := $(BIN)/bloodbattle

gallery: $(READY)  ## make the reports of docs/gallery again: the same bytes
	rm -rf $(RUNS) $(GALLERY)/deals $(GALLERY)/*.html
	$(PLAY) run configs/experiments/first-look.toml --walls 400 --no-rows --out $(RUNS)/first-look \
	    --report $(GALLERY)/first-look.html >/dev/null
	$(PLAY) effect fan.cap 2 4 none --preset mahjong-planet --walls 1000 --no-pilot --out $(RUNS)/fan-cap \
	    --report $(GALLERY)/fan-cap.html >/dev/null
	$(PLAY) effect exchange.direction left across random --preset cardavia-sichuan --walls 1000 --no-pilot \
	    --out $(RUNS)/exchange-direction --report $(GALLERY)/exchange-direction.html >/dev/null
	$(PLAY) effect exhaustion.flower_pig=0,8,32 exhaustion.flower_pig_to=remaining_cleared,all_non_pigs \
	    --preset mahjongo --line-up shanten,isolation,isolation,random --walls 1000 --no-pilot \
	    --out $(RUNS)/flower-pig --report $(GALLERY)/flower-pig.html >/dev/null
	$(PLAY) tournament random isolation shanten ukeire value --walls 100 --out $(RUNS)/tournament \
	    --report $(GALLERY)/tournament.html >/dev/null
	$(PLAY) deal --preset mahjong-planet --wall-seed 17 --strategies value,ukeire,shanten,isolation --format html \
	    > $(GALLERY)/deal.html
	$(PLAY) profile value --deals 1000 --out $(RUNS)/profile --report $(GALLERY)/profile.html >/dev/null
	$(PLAY) ladder $(GALLERY)/ladder.toml --out $(RUNS)/ladder --report $(GALLERY)/ladder.html >/dev/null

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .coverage htmlcov
