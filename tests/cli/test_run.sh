#!/usr/bin/env bash
# Runs: summary, progress, JSON, profile, failure of a step, scenes that are none.
#
# SPDX-License-Identifier: Apache-2.0
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
scene a.scn ''

settee run a.scn
expect_code 0
expect_out "steps        100"
expect_out "simulated    1 s (dt 0.01 s)"
expect_out "kinetic 1, potential 2, total 3"
expect_out "x real time"
expect_out "0 warnings, 0 errors"
expect_err "100 %  step 100 of 100"
expect_lines err 10
reject_err $'\033'
reject_err $'\r'

settee run a.scn -n 3
expect_lines err 3
settee run a.scn -n 0
expect_code 0
expect_out "steps        0"
expect_empty err
settee run a.scn -n 50 --dt 0.5
expect_out "simulated    25 s (dt 0.5 s)"

settee run a.scn --quiet
expect_code 0
expect_empty out
expect_empty err

settee run a.scn --profile -n 10
expect_out "ms per step"
expect_out "force"
expect_out "other"
expect_out '  Force "f" /Node/a\b'
expect_out "3 MB"
settee run a.scn --profile=trace.json -n 3
expect_code 0
expect_out "wrote        trace.json"
cp trace.json out
json "[e['name'] for e in j['traceEvents']] == ['Force \"f\" /Node/a\\\\b', 'step'] * 3"
json "all(e['ph'] == 'X' and e['dur'] >= 0 and e['pid'] == 1 for e in j['traceEvents'])"
json "{(e['cat'], e['tid']) for e in j['traceEvents']} == {('component', 2), ('step', 1)}"
settee run a.scn --profile=no/such/folder/trace.json -n 3
expect_code 1
settee run a.scn --profile= -n 3
expect_code 2
expect_err "--profile: '' is not a name that is not empty"
settee run a.scn --profile=a.scn
expect_code 2
settee run a.scn --profile=- --json
expect_code 2
settee run a.scn --profile --quiet -n 10
expect_out "solve"
reject_out "simulated"

settee run a.scn --json --profile -n 10 --vtk v --every 4 --png p.png --dump-states d
expect_code 0
json "j['status'] == 'ok' and j['exit_code'] == 0 and j['steps'] == 10 and j['steps_asked'] == 10"
json "abs(j['simulated_seconds'] - 0.1) < 1e-6 and j['energy']['potential'] == 2"
json "j['files'] == ['d', 'p.png', 'v'] and j['vtk_files'] == 4"
json "[p['part'] for p in j['profile']] == ['force', 'solve'] and j['messages'] == []"
json "[p['kind'] for p in j['profile'][0]['parts']] == ['component'] and j['profile'][0]['parts'][0]['bytes'] == 3e6"
scene nan.scn 'nan="1"'
settee run nan.scn --json -n 1
json "j['energy']['potential'] is None and j['energy']['total'] is None"

# In real time: steps of 10 ms that take 0 or 30 ms.
settee run a.scn --real-time --json -n 20
expect_code 0
json "j['wall_seconds'] > 0.185 and j['step_seconds'] < 0.1"
json "j['real_time']['median_ms'] <= j['real_time']['p99_ms'] <= j['real_time']['longest_ms']"
settee run a.scn --real-time -n 2
expect_out "deadlines"
expect_out "step times"
settee run a.scn -n 2
reject_out "deadlines"
scene slow.scn 'step_ms="30"'
settee run slow.scn --real-time --json -n 5
json "j['real_time']['deadlines_missed'] == 5 and j['real_time']['worst_late_ms'] > 15"
json "j['real_time']['median_ms'] > 29 and j['real_time']['worst_late_ms'] <= j['real_time']['longest_ms']"

# A step that fails.
scene fail.scn 'fail_step="43"'
settee run fail.scn --dump-states d --png p.png --vtk w --every 40
expect_code 1
expect_err "fail.scn:12: error: UniformMass(mass) at /Node/mass: diverged"
expect_err "settee: error: step 43 of 100 failed at time 0.42 s"
expect_out "steps        42 of 100 (failed)"
grep -q '^STEP 42 TIME 0.42' d || fail "the dump does not hold the last good state"
grep -q ' 0.42$' p.png || fail "the picture does not show the last good state"
[ "$(echo w/*)" = "w/dofs_0.vtk w/dofs_40.vtk w/dofs_42.vtk" ] || fail "VTK files: $(echo w/*)"
settee run fail.scn --json
expect_code 1
json "j['status'] == 'failed' and j['exit_code'] == 1 and j['steps'] == 42"
scene fail.scn 'fail_step="1" silent="1"'
settee run fail.scn --quiet
expect_code 1
expect_lines err 1
expect_err "step 1 of 100 failed at time 0 s: the simulation failed"

# Scenes that are none: one line, exit code 3.
mkdir folder
: >empty.scn
printf ' \n\t\n' >blank.scn
head -c 3000 /dev/zero >zero.scn
printf '\177ELF\001\002\003\000\000garbage' >binary.scn
echo 'import Sofa' >python.scn
none() { # text, scene
    for command in run check; do
        settee $command "$2"
        expect_code 3
        expect_lines err 1
        expect_err "settee: error: $2: $1"
        reject_out energy
    done
    settee run "$2" --json
    expect_code 3
    json "j['status'] == 'invalid' and 'steps' not in j"
}
none "there is no such file" missing.scn
none "there is no such file" folder/missing.scn
none "is a folder, not a scene" folder
none "is not a scene: it is empty" empty.scn
none "is not a scene: it is empty" blank.scn
none "is not a scene: it is a binary file" zero.scn
none "is not a scene: it is a binary file" binary.scn
none "is not a scene: a .scn file is XML" python.scn
none "Not a directory" a.scn/b.scn
printf '\xef\xbb\xbf<Node/>' >mark.scn
settee run mark.scn -q
expect_code 0
what="scene from a pipe"
"$program" run /dev/stdin -q -n 1 <<<'<Node/>' >out 2>err || fail "exit code $?"

for reason in fail_load fail_init; do
    scene bad.scn "$reason=\"1\""
    settee run bad.scn --quiet --dump-states never
    expect_code 3
    expect_lines err 1
    reject_file never
    scene bad.scn "$reason=\"1\" silent=\"1\""
    settee run bad.scn --quiet
    expect_code 3
    expect_lines err 1
    expect_err "settee: error: bad.scn: cannot be"
done
scene survives.scn 'error="1"'
settee run survives.scn --json
expect_code 4
json "j['status'] == 'errors' and j['errors'] == 1 and j['exit_code'] == 4 and j['messages'][0]['severity'] == 'error'"
settee run no-such.scn --json
expect_code 3
json "j['errors'] == 1 and 'no such file' in j['messages'][0]['text']"
settee run survives.scn
expect_code 4
expect_out "0 warnings, 1 error"

# Search paths, in their order, and switches that reach the library.
mkdir one two three four
scene paths.scn 'paths="1"'
export SETTEE_DATA_PATH=:three::four: SETTEE_PLUGIN_PATH=five
settee run paths.scn -n 0 --data-path one --data-path two --plugin-path p --threads 3 --strict --no-compat
unset SETTEE_DATA_PATH SETTEE_PLUGIN_PATH
cp err paths
settee run paths.scn -n 0 --threads 0
expect_err "threads $(getconf _NPROCESSORS_ONLN) strict 0"
cp paths err
sed -n 's/.*: data path //p' err | paste -sd' ' >said
[ "$(cat said)" = "one two three four $(dirname "$program")/../share/settee" ] || fail "data paths: $(cat said)"
sed -n 's/.*: plugin path //p' err | paste -sd' ' >said
[ "$(cat said)" = "p five $(dirname "$program")/../lib/settee/plugins" ] || fail "plug-in paths: $(cat said)"
expect_err "threads 3 strict 1 no_compat 1"
expect_err "settee: warning: --plugin-path p: there is no such folder"
finish
