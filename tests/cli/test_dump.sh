#!/usr/bin/env bash
# Files that a run writes: which steps, aside and renamed, and what happens when they cannot be written.
#
# SPDX-License-Identifier: Apache-2.0
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
scene a.scn ''
steps() { sed -n 's/^STEP \([0-9]*\) .*/\1/p' "$1" | paste -sd' '; }
expect_steps() { [ "$(steps "$1")" = "$2" ] || fail "$1 holds the steps '$(steps "$1")', expected '$2'"; }

settee run a.scn -n 7 --dump-states d
expect_code 0
expect_steps d 7
expect_out "wrote        d"
settee run a.scn -n 7 --dump-states d --dump-topology t --dump-at 5,0,5,99
expect_code 0
expect_steps d "0 5"
expect_steps t "0 5"
grep -q TOPOLOGY t || fail "t is not a topology"
settee run a.scn -n 3 --contacts c --dump-at 1,3 -q
expect_code 0
printf 'names\n1,contact\n3,contact\n' | cmp -s - c || fail "the contacts are $(cat c)"

# contacts as VTK: one file, or one for each step
settee run a.scn -n 3 --contacts c.vtk
expect_code 0
expect_out "wrote        c.vtk"
[ "$(cat c.vtk)" = "cloud 3" ] || fail "the cloud is $(cat c.vtk)"
settee run a.scn -n 3 --contacts k.vtk --dump-at 1,3
expect_code 0
expect_out "wrote        k_1.vtk"
expect_out "             k_3.vtk"
[ ! -e k.vtk ] && [ "$(cat k_1.vtk k_3.vtk)" = "cloud 1
cloud 3" ] || fail "the clouds are $(ls k*)"
settee run a.scn -n 3 --contacts k.vtk --dump-at 1,3 --json
grep -q '"k_1.vtk"' out && grep -q '"k_3.vtk"' out || fail "the files of the JSON are wrong"
settee run a.scn -n 20 --contacts k.vtk --dump-at all
expect_out "wrote        k_0.vtk"
expect_out "... (19 more)"
expect_out "k_20.vtk"
settee run a.scn -n 1 --contacts none/c.vtk
expect_code 1
settee run a.scn -n 1 --contacts c.vtk --png c.vtk
expect_code 2

settee run a.scn -n 3 --json
expect_code 0
grep -q '"motion": "open"' out || fail "no motion in the JSON"
grep -q '"contacts"' out && grep -q '"normal_force": 2' out || fail "no contacts in the JSON"

settee run a.scn -n 1 --contacts x --dump-states x
expect_code 2

settee run a.scn -n 3 --dump-topology t --dump-at all -q
expect_steps t "0 1 2 3"
settee run a.scn -n 0 --dump-states d
expect_steps d 0
settee run a.scn -n 2 --dump-states d --dump-at 50
expect_code 0
{ [ -e d ] && [ ! -s d ]; } || fail "the dump is not empty"
expect_no_parts

# VTK: step 0, every K, the last one.
settee run a.scn -n 10 --vtk deep/er/v --every 4
expect_code 0
expect_out "deep/er/v/ (4 files)"
[ "$(cd deep/er/v && echo *)" = "dofs_0.vtk dofs_10.vtk dofs_4.vtk dofs_8.vtk" ] || fail "$(ls deep/er/v)"
settee run a.scn -n 2 --vtk w
[ "$(echo w/*)" = "w/dofs_0.vtk w/dofs_1.vtk w/dofs_2.vtk" ] || fail "$(ls w)"
settee run a.scn -n 10 --png p.png --size 320x200 --view 1,-2,0.5
grep -q '^320x200 1,-2,0.5 a.scn  t = 0.1 s' p.png || fail "picture: $(cat p.png)"
settee run a.scn -n 10 --png p.png --show contacts
grep -q ' contacts ' p.png || fail "picture: $(cat p.png)"

# Rights of a new file and of a replaced one; a link stays a link.
(umask 027 && "$program" run a.scn -q --dump-states new)
[ "$(stat -c %a new)" = 640 ] || fail "rights of a new file: $(stat -c %a new)"
chmod 604 new
settee run a.scn -q --dump-states new
[ "$(stat -c %a new)" = 604 ] || fail "rights of a replaced file: $(stat -c %a new)"
ln -s new link
settee run a.scn -q -n 4 --dump-states link
[ -L link ] || fail "the link was replaced"
expect_steps new 4

# Standard output: the dump alone, the summary goes to stderr.
settee run a.scn -n 1 --dump-states -
expect_code 0
expect_out "STEP 1"
reject_out energy
expect_err "energy"
settee run a.scn -n 1 --dump-states /dev/stdout
expect_out "STEP 1"
reject_out energy
[ -L /dev/stdout ] || fail "/dev/stdout was replaced"

# What cannot be written: exit code 1, before the first step when that can be known.
unwritable() {
    settee run a.scn -q "$@"
    expect_code 1
    expect_err "cannot be written"
    expect_no_parts
}
mkdir folder
unwritable --dump-states none/d
expect_lines err 1
unwritable --dump-states folder
unwritable --dump-topology /proc/d
unwritable --dump-states d2 --dump-topology none/t
reject_file d2
unwritable --png none/p.png
unwritable --png folder
unwritable --vtk a.scn
unwritable --vtk /proc/v
unwritable --dump-states /dev/full
expect_err "/dev/full: cannot be written: No space left on device"
scene big.scn 'dofs="20000"'
echo old >kept
what="full disk"
for mode in all 0 1; do
    (ulimit -f 64; "$program" run big.scn -n 1 -q --dump-states kept --dump-at $mode >out 2>err)
    code=$?
    expect_code 1
    expect_err "kept: cannot be written: File too large"
    expect_no_parts
    [ "$(cat kept)" = old ] || fail "the old file is gone"
done
settee run a.scn -n 1 --dump-states /dev/full --json
expect_code 1
json "j['status'] == 'unwritten' and j['files'] == []"

# Standard output that is full, closed, or not read.
what="full stdout"
"$program" run a.scn >/dev/full 2>err
code=$?
: >out
expect_code 1
expect_err "settee: error: standard output: No space left on device"
for words in info help "info --markdown" "help --man" --version; do
    # shellcheck disable=SC2086
    "$program" $words >/dev/full 2>err
    code=$?
    what="$words >/dev/full"
    expect_code 1
done
what="closed stdout"
"$program" run a.scn --dump-states d >&- 2>err
code=$?
expect_code 1
expect_err "standard output: Bad file descriptor"
expect_steps d 100
grep -q energy d && fail "the summary is in the dump"
"$program" run a.scn --dump-states d -q >&- 2>err <&-
code=$?
expect_code 0
what="closed stderr"
"$program" run a.scn -n 20 --dump-states d >out 2>&-
code=$?
expect_code 0
expect_steps d 20
grep -q real d && fail "the progress is in the dump"
what="stderr and stdout that nobody reads"
scene slow.scn 'step_ms="20"'
("$program" run slow.scn -n 20 --dump-states unread 2>&1; echo $? >code) | true
code=$(cat code)
expect_code 1
expect_steps unread 20
finish
