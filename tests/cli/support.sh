# What the tests of the command line share. A test is a script that sources this file, with the program as its argument;
# it runs in a scratch folder of its own.
#
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034 # used by the scripts that source this file
set -u
program=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source_folder=$(cd "$here/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
unset SETTEE_DATA_PATH SETTEE_PLUGIN_PATH NO_COLOR
failures=0
what=""

settee() { # runs the program; its exit code, output and errors are kept for the checks
    what="settee $*"
    "$program" "$@" >out 2>err </dev/null
    code=$?
}

fail() {
    echo "FAILED: $what: $1"
    sed 's/^/    out: /' out
    sed 's/^/    err: /' err
    failures=$((failures + 1))
}

expect_code() { [ "$code" = "$1" ] || fail "exit code $code, expected $1"; }
expect_out() { grep -qF -- "$1" out || fail "'$1' is not in the output"; }
expect_err() { grep -qF -- "$1" err || fail "'$1' is not in the errors"; }
reject_out() { ! grep -qF -- "$1" out || fail "'$1' is in the output"; }
reject_err() { ! grep -qF -- "$1" err || fail "'$1' is in the errors"; }
expect_empty() { [ ! -s "$1" ] || fail "$1 is not empty"; }
expect_lines() { [ "$(wc -l <"$1")" = "$2" ] || fail "$1 has $(wc -l <"$1") lines, expected $2"; }
expect_file() { [ -s "$1" ] || fail "there is no file $1"; }
reject_file() { [ ! -e "$1" ] || fail "there is a file $1"; }
expect_no_parts() { [ -z "$(find . -name '*.part*')" ] || fail "files were left aside: $(find . -name '*.part*')"; }

json() { # expression over the object j that must be true
    command -v python3 >/dev/null || return 0
    python3 -c "import json,sys; j = json.load(open('out')); sys.exit(0 if ($1) else 1)" || fail "not so: $1"
}

scene() { # name, attributes
    printf '<Node name="root" %s></Node>\n' "$2" >"$1"
}

finish() {
    [ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
    echo "ok"
}
