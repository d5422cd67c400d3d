# make setup   build .venv with pinned versions (run and test do it by themselves)
# make run     G1 in MuJoCo: stands, sways, takes a push; Ctrl-C stops
# make test    the whole test suite
# make lint    ruff and mypy
PYTHON ?= python3
VENV ?= .venv
PYTEST_ARGUMENTS ?=

BIN := $(VENV)/bin
STAMP := $(VENV)/.stamp
PINS := $(wildcard requirements/*.txt)
LINTED := wbc_control test launch benchmarks setup.py

# Tests hand over what the code must refuse, unpack generators into calls and reach inside: those errors tell nothing there.
TEST_TYPES := --allow-untyped-defs --allow-incomplete-defs --exclude 'conftest\.py$$' \
	$(addprefix --disable-error-code=,arg-type assignment attr-defined call-arg call-overload index misc operator union-attr unreachable var-annotated)
empty :=
TEST_FOLDERS := $(subst $(empty) $(empty),:,$(patsubst %/,%,$(wildcard test/*/)))

# One BLAS thread: the tick is small, and threads cost more than they bring. ROS traffic stays on this machine.
export OMP_NUM_THREADS ?= 1
export OPENBLAS_NUM_THREADS ?= 1
export ROS_AUTOMATIC_DISCOVERY_RANGE ?= LOCALHOST
export RMW_IMPLEMENTATION ?= rmw_fastrtps_cpp
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# A sourced ROS workspace would put its own rclpy before the environment's.
unexport PYTHONPATH PYTHONHOME AMENT_PREFIX_PATH COLCON_PREFIX_PATH LD_LIBRARY_PATH

.PHONY: setup run test lint clean

setup: $(STAMP)

$(STAMP): $(PINS) requirements/make_venv.sh setup.py setup.cfg package.xml
	requirements/make_venv.sh "$(PYTHON)" "$(VENV)"
	$(BIN)/python -m pip install -r requirements/all.txt -c requirements/constraints.txt
	$(BIN)/python -m pip install --no-deps --no-build-isolation -e .
	touch $@

run: setup
	$(BIN)/wbc up --robot g1 --hardware mujoco --demo

test: setup
	$(BIN)/python -m pytest $(PYTEST_ARGUMENTS)

lint: setup
	$(BIN)/ruff check $(wildcard $(LINTED))
	$(BIN)/mypy wbc_control
	MYPYPATH=$(TEST_FOLDERS) $(BIN)/mypy $(TEST_TYPES) test

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache
