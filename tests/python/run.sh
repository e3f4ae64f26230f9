#!/usr/bin/env bash
# The Python package with the system's Python: every test_*.py here, by pytest. Skipped (77) with a line that says what is
# missing; tests that need more than that are skipped one by one, each with such a line, which scripts/test shows. In a build with AddressSanitizer its library is loaded first, since Python itself is built without.
#
# usage: run.sh PYTHON FOLDER_OF_THE_PACKAGE SANITIZERS COMPILER
#
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
python=$1
folder=$(cd "$(dirname "$0")" && pwd)

for module in numpy scipy pytest; do
    if ! "$python" -c "import $module" 2>/dev/null; then
        echo "SKIPPED: the Python tests: $python has no $module (apt-get install python3-$module)"
        exit 77
    fi
done

export PYTHONPATH=$2 PYTHONDONTWRITEBYTECODE=1 OPENBLAS_NUM_THREADS=1
if [[ $3 == *address* ]]; then
    export LD_PRELOAD=$("$4" -print-file-name=libasan.so)
    # leaks are those of the interpreter
    export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
fi
"$python" -X dev -m pytest -q -rs -p no:cacheprovider -W error::settee.SetteeDeprecationWarning "$folder" |
    sed -E 's/^SKIPPED \[[0-9]+\] ([^ ]*)/SKIPPED: \1/'
