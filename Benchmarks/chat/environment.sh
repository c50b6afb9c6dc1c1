# shellcheck shell=bash
# The built program, and the Python of the page's tests, which has a client of WebSockets.
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export TANDEM=${TANDEM:-$PWD/.build/release/tandem}
if [[ ! -x $TANDEM ]]; then
    echo "$TANDEM is not built; building it" >&2
    bin/build
fi
TANDEM=$(realpath "$TANDEM")
python=${TANDEM_PAGE_PYTHON:-.build/page-venv/bin/python}
if [[ ! -x $python ]]; then
    echo "$python is missing. Install what the tests need with: bin/setup --tests" >&2
    exit 1
fi
python=$(realpath --no-symlinks "$python")
