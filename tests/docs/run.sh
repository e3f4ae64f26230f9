#!/usr/bin/env bash
# What the pages show works: every scene in docs/ runs without a warning, every one in examples/ without a message (but those
# of MeshCutter, which says what it has cut), every C program in docs/ compiles, and every link between pages leads somewhere.
#
#     tests/docs/run.sh SETTEE BUILD CC
#
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
settee=$1 build=$2 cc=$3
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
count=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# The blocks of one language in a page, each into a file of its own.
blocks() { # page language suffix
    awk -v language="$2" -v base="$work/$(basename "$1" .md)" -v suffix="$3" '
        $0 == "```" language { file = base "_" ++n suffix; next }
        /^```/ { file = "" }
        file { print > file }' "$1"
}

# docs/reference/ holds parts of scenes; a unit test runs them.
for page in "$root"/docs/*.md "$root"/*.md; do
    blocks "$page" xml .scn
    blocks "$page" c .c
    while read -r target; do
        [ -e "$(dirname "$page")/${target%%#*}" ] || fail "$page: there is no $target"
    done < <(grep -o '](\([^)]*\))' "$page" | sed 's/^](//; s/)$//' | grep -v '^http')
done

for scene in "$work"/*.scn; do
    count=$((count + 1))
    if ! "$settee" run "$scene" -n 5 --strict --json --data-path "$root/examples" > "$work/summary" 2> "$work/messages"; then
        fail "$scene"
        cat "$work/messages"
    elif ! grep -q '"warnings": *0' "$work/summary"; then
        fail "$scene gives warnings"
        cat "$work/messages"
    fi
done

for scene in "$root"/examples/*.scn; do
    count=$((count + 1))
    "$settee" run "$scene" -n 5 --strict --read-only > "$work/summary" 2> "$work/progress" || fail "$scene"
    ! grep -E '(notice|warning|error):' "$work/progress" | grep -v MeshCutter || fail "$scene gives messages"
done

for program in "$work"/*.c; do
    grep -q 'int main' "$program" || continue # a piece of one
    count=$((count + 1))
    "$cc" -std=c11 -Wall -Wextra -Werror -fsyntax-only -I "$root/include" -I "$build/include" "$program" || fail "$program"
done
[ "$count" -ge 5 ] || fail "only $count scenes and programs were found"
echo "$count scenes and programs of the documentation, $failures failures"
[ "$failures" = 0 ]
