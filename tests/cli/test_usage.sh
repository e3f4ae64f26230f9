#!/usr/bin/env bash
# Command lines that are wrong: exit code 2, one line that says what is wrong, a suggestion, and nothing on stdout.
#
# SPDX-License-Identifier: Apache-2.0
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
scene a.scn ''

wrong() { # text that must be said, words of the command line
    local text=$1
    shift
    settee "$@"
    expect_code 2
    expect_err "$text"
    expect_empty out
}

settee
expect_code 2
expect_err "Usage: settee COMMAND"
expect_empty out

wrong "unknown command 'rum'; did you mean 'run'?" rum a.scn
wrong "unknown command 'a.scn'; to simulate it: settee run a.scn" a.scn
wrong "unknown command 'zzzzzz'" zzzzzz
wrong "SCENE is missing: settee run SCENE" run
wrong "SCENE is missing" check --strict
wrong "unexpected argument 'b.scn'" run a.scn b.scn
wrong "unknown option '--dumpstates'; did you mean '--dump-states'?" run a.scn --dumpstates x
wrong "unknown option '--threds'; did you mean '--threads'?" run a.scn --threds=2
wrong "unknown option '-z'" run a.scn -z
wrong "'--markdown' is an option of 'settee info', not of run" run a.scn --markdown
wrong "'--json' is an option of 'settee run'" --json
wrong "--png needs a value: FILE" run a.scn --png
wrong "--json takes no value" run a.scn --json=yes
wrong "--png: '' is not a name" run a.scn --png ''

for value in -1 x '' 1.5 ' 5' 5x +5 0x10 1e3 99999999999999999999999999 18446744073709551615; do
    wrong "-n: '$value' is not a whole number" run a.scn -n "$value"
done
for value in 0 -1 x '' 1x 0.0 nan inf 1e999 1e-999 -0.01 '1 '; do
    wrong "--dt: '$value' is not a positive number" run a.scn --dt "$value"
done
for value in -1 x 1025 99999999999; do
    wrong "--threads: '$value' is not a whole number from 0 to 1024" run a.scn --threads "$value"
done
for value in 0x0 0x5 5x0 x 10 10x 10x10x10 -5x5 99999x10 10x99999999999999999999 \
    16384x2049 16384x16384; do
    wrong "--size: '$value' is not WIDTHxHEIGHT" run a.scn --png a.png --size "$value"
done
for value in 0,0,0 1,2 1,2,3,4 a,b,c 1,,2 '1,2,' nan,0,1 '1, 2, 3'; do
    wrong "--view: '$value' is not three numbers" run a.scn --png a.png --view "$value"
done
for value in '' ',' '1,' ,1 1,,2 x -1 1-5 ALL 99999999999999999999999; do
    wrong "--dump-at: '$value' is not steps" run a.scn --dump-states d --dump-at "$value"
done
wrong "--every: '0' is not a whole number, 1 or more" run a.scn --vtk v --every 0

wrong "--dump-at has no meaning without --dump-states or --dump-topology" run a.scn --dump-at 0
wrong "--size has no meaning without --png" run a.scn --size 10x10
wrong "--view has no meaning without --png" run a.scn --view 1,0,0
wrong "--show has no meaning without --png" run a.scn --show contacts
wrong "--show: 'nonsense' is not a list of others" run a.scn --png a.png --show nonsense
wrong "--every has no meaning without --vtk" run a.scn --every 2
wrong "--verbose has no meaning without --version" --verbose
wrong "--json and --markdown cannot be given together" info --json --markdown
wrong "--names and --json cannot be given together" info --names --json

wrong "--dump-states and --dump-topology are the same file" run a.scn --dump-states d --dump-topology d
wrong "--png and the scene are the same file" run a.scn --png ./a.scn
ln -s a.scn link
wrong "--dump-states and the scene are the same file" run a.scn --dump-states link
wrong "--json and --dump-states - both need standard output" run a.scn --json --dump-states -
reject_file d
reject_file v
reject_file a.png

# Forms that are right.
for words in "-n5" "-n 5" "--steps 5" "--steps=5" "-q -n5" "-qn5"; do
    # shellcheck disable=SC2086 # the words are words
    settee run $words a.scn
    expect_code 0
done
cp a.scn ./-odd.scn
settee run -n 1 -- -odd.scn
expect_code 0
settee run --dump-states d --dump-states e a.scn
expect_code 0
expect_file e
reject_file d
finish
