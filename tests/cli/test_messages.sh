#!/usr/bin/env bash
# Messages: their form, repeated ones, colors, control characters from a scene, what --quiet keeps.
#
# SPDX-License-Identifier: Apache-2.0
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

scene warn.scn 'warn="1" info="1"'
settee run warn.scn
expect_code 0
expect_err "warn.scn:12: warning: UniformMass(mass) at /Node/mass: it is warm"
expect_err "warn.scn:12: warning: UniformMass(mass) at /Node/mass: it is warm [99 more times]"
expect_err "warn.scn:12: info: UniformMass(mass) at /Node/mass: an info"
[ "$(grep -c 'it is warm' err)" = 2 ] || fail "the warning was said $(grep -c 'it is warm' err) times"
expect_out "100 warnings, 0 errors"
reject_err $'\033'
settee run warn.scn -n 2
expect_err "it is warm [1 more time]"
settee run warn.scn -n 1
[ "$(grep -c 'it is warm' err)" = 1 ] || fail "said again"

settee run warn.scn --quiet
expect_empty err
settee run warn.scn --json
json "len(j['messages']) == 2 and j['messages'][0]['count'] == 100 and j['warnings'] == 100"
json "j['messages'][0]['line'] == 12 and j['messages'][0]['path'] == '/Node/mass'"
expect_err "it is warm"

scene error.scn 'error="1" warn="1"'
settee run error.scn --quiet
expect_code 4
expect_lines err 2
expect_err "settee: 1 error: results may not be what the scene means"
expect_err "error.scn:12: error: UniformMass(mass) at /Node/mass: something that SOFA survives"

scene evil.scn 'evil="1"'
settee run evil.scn -n 0
expect_err 'red ?[31m bell ? and'
reject_err $'\033'
reject_err $'\a'
settee run evil.scn -n 0 --json
json "'\\x1b' in j['messages'][0]['text']"
printf '<Node/>' >$'b\033[31m"\\\377.scn'
settee run $'b\033[31m"\\\377.scn' -n 0 --json
json "j['scene'].endswith('\"\\\\\\ufffd.scn')"
settee run $'none\033[31m.scn'
reject_err $'\033'
finish
