#!/usr/bin/env bash
# settee info: lists and descriptions in all forms.
#
# SPDX-License-Identifier: Apache-2.0
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

settee info
expect_code 0
expect_out "UniformMass"
expect_out "The same mass for each point"
reject_out "f = m g"
expect_out "known, without effect"
expect_out "2 components."
settee info --names
expect_lines out 2

settee info --missing
expect_code 0
expect_out "Zebra"
expect_lines out 1

settee info UniformMass
expect_code 0
expect_out "UniformMass (mass)"
expect_out "totalMass (real) = \"1\", also totalmass"
expect_out "Attributes of every Object"
expect_out "listening (bool) = \"0\", no effect"
expect_out '<UniformMass totalMass="1"/>'
expect_empty err
settee info OldMass
expect_code 0
expect_err "'OldMass' is called UniformMass: renamed"
settee info UniformMas
expect_code 2
expect_err "there is no component 'UniformMas'; did you mean 'UniformMass'?"
settee info Zebra
expect_code 2
expect_err "there is no component 'Zebra'"
reject_err "mean"

settee info --json
json "[c['name'] for c in j] == ['OglModel', 'UniformMass'] and j[1]['attributes'][1]['from'] == 'Object'"
settee info UniformMass --json
json "j['name'] == 'UniformMass' and j['attributes'][0]['default'] == '1'"
settee info --markdown
expect_code 0
expect_out "## Mass"
expect_out "### UniformMass"
expect_out 'a\_b\*c'
# shellcheck disable=SC2016 # Markdown
expect_out '| `totalMass` (also `totalmass`) | real | `1` | mass of all points \| together |'
expect_out "some-defect"
settee info OglModel
expect_code 0
finish
