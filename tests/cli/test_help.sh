#!/usr/bin/env bash
# Help, manual page, docs/cli.md and completion: every option is in all of them, and what is checked in is up to date.
#
# SPDX-License-Identifier: Apache-2.0
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

settee --version
expect_code 0
expect_out "settee 9.8.7"
expect_lines out 1
settee --version --verbose
expect_out "some libraries"

settee help
expect_code 0
cp out plain
for form in --help -h; do
    settee $form
    expect_code 0
    cmp -s out plain || fail "differs from settee help"
done
for command in run check info help; do
    grep -q "^  $command " plain || fail "$command is not in the overview"
done
for command in run check info help; do
    settee help $command
    expect_code 0
    cp out plain
    settee $command --help
    expect_code 0
    cmp -s out plain || fail "differs from settee help $command"
    [ "$(awk '{ if (length($0) > n) n = length($0) } END { print n }' out)" -le 80 ] || fail "a line is too long"
done
settee help exit
expect_out "130"
settee help rn
expect_code 2
expect_err "did you mean 'run'?"

# Every option of the program's specification, in every text.
options="-n --dt --threads --data-path --plugin-path --dump-states --dump-topology --dump-at --png --size --view --vtk
         --every --profile --json --quiet --strict --no-compat --fast"
for form in "run" "--man" "--completion" "--markdown"; do
    settee help $form
    expect_code 0
    sed -i 's/\\-/-/g' out
    for option in $options; do expect_out "$option"; done
done
settee help --man
head -1 out | grep -q '^\.TH SETTEE 1' || fail "no title line"
if command -v groff >/dev/null; then
    groff -man -Tutf8 -ww out 2>err >page || fail "groff"
    expect_empty err
fi

up_to_date() { # file, words
    local file=$source_folder/$1
    shift
    settee "$@"
    cmp -s out "$file" || { diff "$file" out | head -5; fail "$file is out of date: settee $* >$file"; }
}
up_to_date cli/completion.bash help --completion
up_to_date docs/cli.md help --markdown

# The completion at work.
# shellcheck source=/dev/null
. "$source_folder/cli/completion.bash"
compopt() { :; }
complete_words() {
    COMP_WORDS=("$program" "$@")
    COMP_CWORD=$#
    _settee
    what="completion of $*"
    printf '%s\n' "${COMPREPLY[@]}" | sort -u | paste -sd' ' >out
}
expect_completion() { [ "$(cat out)" = "$1" ] || fail "expected '$1'"; }
touch scene.scn mesh.obj other.xml script.py
mkdir folder
complete_words r
expect_completion "run"
complete_words run --dump-s
expect_completion "--dump-states"
complete_words run ''
expect_completion "folder other.xml scene.scn script.py"
complete_words view s
expect_completion "scene.scn script.py"
complete_words run --png m
expect_completion "mesh.obj"
complete_words run --vtk ''
expect_completion "folder"
complete_words run -n ''
expect_completion ""
complete_words info U
expect_completion "UniformMass"
complete_words help du
expect_completion "dumps"
complete_words --version --v
expect_completion "--verbose"
finish
