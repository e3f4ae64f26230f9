#!/usr/bin/env bash
# ParaView's own readers (python3-vtk9) open what VTKExporter and `settee run --vtk` write: grids, numbers of points and cells,
# arrays, and the series. Without the module the test is skipped, visibly.
#
# usage: run.sh SETTEE_BINARY
#
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
binary=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)

python=
for candidate in python3 /usr/bin/python3; do
    if "$candidate" -c 'import vtk' 2>/dev/null; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ]; then
    echo "SKIPPED: the Python module vtk (python3-vtk9) is absent"
    exit 77
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$binary" run "$here/grid.scn" -n 4 --quiet
"$binary" run "$here/../../examples/body.scn" -n 6 --quiet --vtk body --every 3
"$python" "$here/read.py"
