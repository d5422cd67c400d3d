#!/bin/sh
# Creates the virtual environment $2 with the interpreter $1, also where Debian's python3-venv is missing.
set -eu
python=$1
venv=$2

fail() {
    echo "make setup: $1" >&2
    exit 1
}

command -v "$python" >/dev/null 2>&1 || fail "there is no '$python'; install Python 3.10 to 3.13, or name one: make PYTHON=/path/to/python3"
version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
"$python" -c 'import sys; sys.exit(not (3, 10) <= sys.version_info[:2] <= (3, 13))' ||
    fail "$python is Python $version, wanted 3.10 to 3.13; name another: make PYTHON=python3.12"

rm -rf "$venv"
if "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
    exec "$python" -m venv "$venv"
fi
if "$python" -m virtualenv --version >/dev/null 2>&1; then
    exec "$python" -m virtualenv --quiet "$venv"
fi
if "$python" -c 'import venv' >/dev/null 2>&1 && "$python" -m pip --version >/dev/null 2>&1; then
    "$python" -m venv --without-pip "$venv"
    "$python" -m pip --python "$venv/bin/python" install --quiet pip && exit 0
    rm -rf "$venv"
fi
fail "$python cannot create virtual environments; on Debian or Ubuntu run: apt install python3-venv"
