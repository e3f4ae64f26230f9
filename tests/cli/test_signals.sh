#!/usr/bin/env bash
# Ctrl-C and termination: the step is finished, what was asked is written, the exit code tells which signal it was.
#
# SPDX-License-Identifier: Apache-2.0
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
scene slow.scn 'step_ms="20"'

# Background jobs of a script ignore SIGINT, so a new shell with job control starts the program.
interrupt() { # signal, words of the command line
    local signal=$1
    shift
    what="$signal during settee $*"
    bash -c 'set -m; program=$1 signal=$2; shift 2
             "$program" "$@" >out 2>err & job=$!
             sleep 0.5; kill -"$signal" "$job"; wait "$job"; echo $? >code' - "$program" "$signal" "$@" 2>/dev/null
    code=$(cat code)
}

for pair in INT:130 TERM:143; do
    interrupt ${pair%:*} run slow.scn -n 10000 --dump-states d --dump-topology t --dump-at all \
        --png p.png --vtk v --every 1000
    expect_code ${pair#*:}
    expect_err "settee: interrupted after"
    expect_out "of 10000 (interrupted)"
    done=$(sed -n 's/^settee: interrupted after \([0-9]*\) .*/\1/p' err)
    [ "${done:-0}" -gt 2 ] || fail "only ${done:-no} steps"
    [ "$(grep -c STEP d)" = $((done + 1)) ] || fail "$(grep -c STEP d) steps in the dump of $done"
    expect_file t
    expect_file p.png
    expect_file "v/dofs_$done.vtk"
    expect_no_parts
done
interrupt INT run slow.scn -n 10000 --dump-states last --json
expect_code 130
[ "$(grep -c STEP last)" = 1 ] || fail "the last state is not in the dump"
json "j['status'] == 'interrupted' and j['exit_code'] == 130 and 2 < j['steps'] < 10000"
interrupt INT run slow.scn -n 10000 --quiet
expect_code 130
expect_empty out

# The second one stops at once, in the middle of a step.
scene slower.scn 'step_ms="900"'
what="two interrupts"
start=$(date +%s%N)
bash -c 'set -m; "$1" run slower.scn -n 10000 >out 2>err & job=$!
         sleep 0.3; kill -INT $job; sleep 0.1; kill -INT $job; wait $job; echo $? >code' - "$program" 2>/dev/null
code=$(cat code)
expect_code 130
elapsed=$((($(date +%s%N) - start) / 1000000))
[ $elapsed -lt 850 ] || echo "note: the second interrupt took $elapsed ms"
expect_empty out

# nohup and the like: an ignored signal stays ignored.
what="ignored signal"
bash -c 'trap "" INT; "$1" run slow.scn -n 20 >out 2>err & job=$!
         sleep 0.1; kill -INT $job; wait $job; echo $? >code' - "$program"
code=$(cat code)
expect_code 0
finish
