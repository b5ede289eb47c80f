# Two commands are enough for a newcomer: `make ingest` and `make test`. Each sets up what it needs in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
# the sample has a vault of its own, so that trying mnemic never touches a real one
SAMPLE_VAULT := .sample-vault
SAMPLE := data/sample/conversations.json

.PHONY: ingest test faults lint docs bench train coverage audit wheel image fuzz lock clean

ifdef ARCHIVE
ingest: $(STAMP)
	$(BIN)/mnemic ingest $(if $(VAULT),--vault "$(VAULT)") "$(ARCHIVE)"
else
ingest: $(STAMP)
	$(BIN)/mnemic ingest --vault $(SAMPLE_VAULT) $(SAMPLE)
	@for question in \
		"What did I decide about epoxy on Teist?" \
		"Which mornings can't I work, and why?" \
		"What do I still have to find out about Teist's place for the winter?"; do \
		echo; echo "\$$ mnemic recall --vault $(SAMPLE_VAULT) --limit 5 \"$$question\""; \
		$(BIN)/mnemic recall --vault $(SAMPLE_VAULT) --limit 5 "$$question" || exit 1; \
	done
	@echo; echo "To go on with the sample: export PATH=\"$$PWD/$(BIN):\$$PATH\" MNEMIC_VAULT=\"$$PWD/$(SAMPLE_VAULT)\""
endif

# A worker a core, four at most: each holds an embedder. One file stays with one worker, and its fixtures too;
# the files that take longest come first (tests/conftest.py), so that no worker is left with one at the end.
# Bytecode is kept whatever the caller says: the workers and every command that a test starts compile it all again
# without (7 s of processor time a worker, 1 s a command). Where each core has a worker, a second thread of numpy's
# products only waits for it.
test: $(STAMP)
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder \
		-p tests.progress -o console_output_style=classic

# Mutated inputs for every reader; what it finds is kept, with the seed that makes it again. Then the largest.
FUZZ ?= 200000
fuzz: $(STAMP)
	$(BIN)/python tests/archives/fuzz_archives.py --count $(FUZZ)
	MNEMIC_LARGE=1 $(BIN)/python -m pytest tests/archives/test_archives_hostile.py

# kill -9, full disk, damaged files, two writers, a reader through publications, a clock set back
faults: $(STAMP)
	$(BIN)/python -m benchmarks.faults

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The branches that tests of the four packages take which hold the rules; docs/quality.md has the figures.
coverage: $(STAMP)
	$(BIN)/python -m coverage run --branch --source=schemas,chunking,curation,retrieval \
		-m pytest -p no:xdist tests/schemas tests/chunking tests/curation tests/retrieval tests/evals/test_pair_suites.py
	@for package in schemas chunking curation retrieval; do echo "$$package:"; \
		$(BIN)/python -m coverage report --skip-covered --include="$$package/*" --fail-under=90 || exit 1; done

# Each stage beside its peer. Peers have an environment of their own, which sees .venv behind it.
# Some stages only: make bench BENCH='--only ingest recall'
PEERS := $(VENV)/peers
SUITES ?= $(or $(MNEMIC_SHARED),../shared)/evals
bench: $(STAMP)
	test -x $(PEERS)/bin/python || $(BIN)/python -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check -r benchmarks/peers_requirements.txt
	$(BIN)/python -c "import site; print(site.getsitepackages()[0])" \
		> "$$($(PEERS)/bin/python -c 'import site; print(site.getsitepackages()[0])')/beside.pth"
	$(PEERS)/bin/python -m benchmarks.bench $(SUITES)/realmem/sophie_dubois.zip --write docs/benchmarks.md $(BENCH)

# The small models' weights, made again from data/reading. JAX has an environment of its own, which sees .venv behind it.
TRAINER := $(VENV)/train
train: $(STAMP)
	test -x $(TRAINER)/bin/python || $(BIN)/python -m venv $(TRAINER)
	$(TRAINER)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r benchmarks/train/requirements.lock
	$(BIN)/python -c "import site; print(site.getsitepackages()[0])" \
		> "$$($(TRAINER)/bin/python -c 'import site; print(site.getsitepackages()[0])')/beside.pth"
	$(TRAINER)/bin/python -m benchmarks.train

# A bill of materials, known vulnerabilities where that data can be reached, the compose file by its schema.
audit: $(STAMP)
	$(BIN)/python .ci/audit.py $(VENV)/audit

wheel: $(STAMP)
	.ci/wheel

# The container image, built and run where an engine answers; else its steps by script.
image: $(STAMP)
	$(BIN)/python .ci/image.py

# The site of docs/ in site/: strict, every link checked, nothing fetched. A test builds it too.
docs: $(STAMP)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "open site/index.html"

# What pip says of each package, as how far it is; what goes wrong is shown whole.
define PROGRESS
BEGIN { print "installing the " all " packages of requirements.lock: a minute or a few, mostly downloads" }
/^(Collecting|Processing)/ && ++got % 20 == 0 { print "  " got " of " all " fetched" }
/^Installing collected/ { print "  all fetched; unpacking them" }
/^(Successfully installed|Requirement already satisfied)/ { fine = 1 }
/^(ERROR|Traceback)/ { wrong = 1 }
wrong { print }
{ fflush() }
END { exit wrong || !fine }
endef
export PROGRESS

# Every package is named with its hashes in the lock, so nothing is resolved and nothing else comes in.
# mnemic itself is installed last, in place and without a build environment of its own.
$(STAMP): requirements.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@PYTHONUNBUFFERED=1 $(BIN)/python -m pip install --disable-pip-version-check --no-input --progress-bar off \
		--no-deps --require-hashes -r requirements.lock 2>&1 | awk -v all=$$(grep -c == requirements.lock) "$$PROGRESS"
	@echo "installing mnemic itself, in place"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@$(BIN)/mnemic setup
	@touch $(STAMP)

# Write the lock anew from pyproject.toml: every supported Python, Linux and macOS, with hashes, no host names.
lock:
	$(PYTHON) -m venv $(VENV)/lock
	$(VENV)/lock/bin/python -m pip install --quiet --disable-pip-version-check uv
	$(VENV)/lock/bin/uv lock --quiet
	$(VENV)/lock/bin/uv export --quiet --all-groups --no-emit-project --no-annotate --no-header --output-file requirements.lock
	rm uv.lock

clean:
	rm -rf $(VENV) $(SAMPLE_VAULT)
