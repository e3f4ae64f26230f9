#!/usr/bin/env bash
# settee matrix: what can be asked for, where it goes, what is refused.
#
# SPDX-License-Identifier: Apache-2.0
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

scene good.scn ''
settee matrix good.scn
expect_code 0
expect_out "size           2 x 2"
expect_out "definiteness   positive definite"
expect_out "condition      about 2"
settee matrix good.scn --json
expect_code 0
json "j['rows'] == 2 and j['definiteness'] == 'positive definite'"

settee matrix good.scn --format mtx
expect_out "matrix of 2 rows, 17 digits"
settee matrix good.scn --format mtx --digits 6 -o a.mtx
expect_code 0
expect_empty out
expect_file a.mtx
settee matrix good.scn --which b --format csv
expect_out "vector of 2 numbers"
settee matrix good.scn --which x
expect_out "largest        2"

# Before the first step there is no A; M, B and K can be had.
settee matrix good.scn --step 0
expect_code 1
expect_err "before the first step"
settee matrix good.scn --step 0 --which K
expect_code 0

settee matrix good.scn --which M --component /Node/mass --space parent
expect_code 0
settee matrix good.scn --which K --component /Node/mass
expect_code 1
expect_err "the component has no such matrix"
settee matrix good.scn --component /nowhere
expect_code 1
expect_err "there is no such component"
settee matrix good.scn --system /nowhere
expect_code 1
expect_err "there is no linear system"

scene explicit.scn 'explicit="1"'
settee matrix explicit.scn
expect_code 1
expect_err "M, B and K are available without one"
settee matrix explicit.scn --which M
expect_code 0

for wrong in "--which Q" "--format jpg" "--space own" "--format png" "--which b --format png -o b.png" \
    "--which x --component /Node/mass" "--json --format mtx" "--digits 18" "--component /Node/mass --system /s" \
    "--which J" "--which J --component /Node/mass --space parent"; do
    # shellcheck disable=SC2086 # words
    settee matrix good.scn $wrong
    expect_code 2
done
settee matrix good.scn --which Q
expect_err "'Q' is not one of A|M|B|K|J|W|H|b|x|lambda|d"

scene fail.scn 'fail_step="2"'
settee matrix fail.scn --step 3 --format mtx -o none.mtx
expect_code 1
reject_file none.mtx
expect_no_parts
finish
