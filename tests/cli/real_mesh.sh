#!/usr/bin/env bash
# settee mesh: what it tells of a mesh, conversion, and files that are wrong.
#
# SPDX-License-Identifier: Apache-2.0
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

cat >cube.msh <<'TEXT'
$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
8
1 0 0 0
2 1 0 0
3 1 1 0
4 0 1 0
5 0 0 1
6 1 0 1
7 1 1 1
8 0 1 1
$EndNodes
$Elements
1
1 5 2 0 0 1 2 3 4 5 6 7 8
$EndElements
TEXT

settee mesh cube.msh
expect_code 0
expect_out "points       8"
expect_out "box          0 0 0 to 1 1 1"
expect_out "hexahedra    1; volume 1 to 1, total 1"
expect_out "boundary     6 faces, area 6"
expect_empty err

settee mesh cube.msh --json -o cube.stl
expect_code 0
expect_err "the boundary of the volumes is written"
json "abs(j['hexahedra']['total'] - 1) < 1e-12 and j['boundary']['faces'] == 6 and j['output'] == 'cube.stl' and j['status'] == 'ok'"
settee mesh cube.stl --quiet
expect_code 0
expect_empty out
expect_empty err
settee mesh cube.stl
expect_out "triangles    12"
expect_out "closed surface around a volume of 1"

# around through every format, and back to the same bytes
from=cube.msh
for to in one.vtk two.vtu three.msh; do
    settee mesh "$from" -o "$to" -q
    expect_code 0
    from=$to
done
cmp -s cube.msh three.msh || fail "the mesh has changed on its way"

settee mesh nowhere.msh
expect_code 3
expect_err "nowhere.msh: error: mesh: the file is not there"
settee mesh cube.msh -o cube.doc
expect_code 2
expect_err "no mesh format is written for the suffix"
reject_file cube.doc
head -12 cube.msh >cut.msh
settee mesh cut.msh --json
expect_code 3
expect_err "cut.msh:"
json "j['status'] == 'invalid' and len(j['messages']) == 1"
settee mesh cube.msh -o /dev/full/x.vtu
expect_code 1
expect_no_parts
settee mesh
expect_code 2

finish
