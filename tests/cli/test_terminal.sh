#!/usr/bin/env bash
# On a terminal: a bar that is drawn over itself, colors, and a summary that starts on a clean line.
#
# SPDX-License-Identifier: Apache-2.0
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
if ! command -v script >/dev/null; then
    echo "script is not installed: nothing was tested"
    exit 0
fi
scene slow.scn 'step_ms="20" warn="1"'

on_terminal() { # columns, words of the command line
    local columns=$1
    shift
    what="settee $* on a terminal"
    TERM=${TERM_TO_TEST-xterm} script -qec "stty cols $columns; '$program' $*" /dev/null >out 2>err </dev/null
    code=$?
}
on_terminal 120 run slow.scn -n 30
expect_code 0
expect_out $'\r['
expect_out "="
expect_out "of 30"
expect_out "steps/s"
expect_out "left"
expect_out $'\033[1;35mwarning:\033[0m'
expect_out $'\r\033[K'
expect_out "energy"
lines() { tr '\r' '\n' <out | sed 's/\x1b\[[0-9;]*[mK]//g'; }
lines | awk 'length($0) > 119 { exit 1 }' || fail "a line is too long"
on_terminal 40 run slow.scn -n 30
lines | grep 'steps/s' | grep -v '^speed' | awk 'length($0) > 40 { exit 1 }' ||
    fail "the bar is too long for 40 columns"
on_terminal 120 run slow.scn -n 30 --quiet
expect_empty out
export NO_COLOR=1
on_terminal 120 run slow.scn -n 5
reject_out $'\033[1;35m'
unset NO_COLOR
TERM_TO_TEST=dumb
on_terminal 120 run slow.scn -n 30
reject_out $'\033'
finish
