#!/usr/bin/env bash
# settee check: verdicts and exit codes.
#
# SPDX-License-Identifier: Apache-2.0
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

scene good.scn ''
settee check good.scn
expect_code 0
expect_out "components   3"
expect_out "kinetic 0, potential 2, total 2"
expect_out "stiffness"
expect_out "0 of 2 derivatives wrong"
expect_out "result       ok"

expect_out "verdict      this scene behaves as in SOFA"
reject_out "other than SOFA"

scene incomplete.scn 'missing="1"'
settee check incomplete.scn
expect_code 0
expect_out "missing: Gone at"
expect_out "verdict      not as in SOFA: 1 component is missing (Gone)"
settee check incomplete.scn --json
json "j['verdict'] == '1 component is missing (Gone)' and j['fates'][1]['why'] == 'it went'"

scene contacts.scn 'contacts="1"'
settee check contacts.scn
expect_code 0
expect_out "verdict      this scene behaves as in SOFA; 1 warning about contacts"

scene different.scn 'difference="1"'
settee check different.scn
expect_code 0
expect_out "other than SOFA (docs/compatibility.md, defects that are corrected)"
expect_out "UniformMass at /Node/mass: in SOFA it is lighter"
settee check different.scn --json
json "j['differences'] == [{'path': '/Node/mass', 'class': 'UniformMass', 'in_sofa': 'it is lighter'}]"

scene wrong.scn 'derivative="0.5"'
settee check wrong.scn
expect_code 1
expect_out "WRONG"
expect_out "1 of 2 derivatives wrong"
settee check wrong.scn --quiet
expect_code 1
expect_empty out
expect_err "UniformMass at /Node/mass: the stiffness is wrong: relative difference 0.5"
settee check wrong.scn --tolerance 0.6
expect_code 0
settee check wrong.scn --json
expect_code 1
json "j['mass'] == {'total': 3, 'x': 1, 'y': 2, 'z': 3}"
json "j['status'] == 'failed' and j['derivatives'][1]['verdict'] == 'wrong' and j['energy']['potential'] == 2"
scene nan.scn 'derivative="nan"'
settee check nan.scn
expect_code 1

scene inexact.scn 'derivative="0.5" inexact="1"'
settee check inexact.scn
expect_code 0
expect_out "inexact"
expect_out "because"

scene bad.scn 'error="1"'
settee check bad.scn
expect_code 4
expect_out "result       errors"
expect_err "1 error: results may not be what the scene means"
settee check bad.scn --json
expect_code 4
json "j['status'] == 'errors' and j['errors'] == 1 and j['exit_code'] == 4"
settee check bad.scn --quiet
expect_lines err 2

for reason in fail_load fail_init; do
    scene bad.scn "$reason=\"1\""
    settee check bad.scn
    expect_code 3
    expect_out "result       invalid"
    settee check bad.scn --json
    expect_code 3
    json "j['status'] == 'invalid' and j['errors'] == 1"
    settee check bad.scn --quiet
    expect_lines err 1
    expect_empty out
done

settee check good.scn -n 50
expect_out "kinetic 0.5"
scene fail.scn 'fail_step="5"'
settee check fail.scn -n 50
expect_code 1
expect_err "step 5 failed"
settee check fail.scn
expect_code 0
finish
