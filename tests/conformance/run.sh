#!/usr/bin/env bash
# The ratchet: every scene listed in passing.txt must still give SOFA's results. The scenes and references are not part
# of the project; without them (../shared, or SETTEE_SHARED) the test is skipped, visibly.
#
# usage: run.sh SETTEE_BINARY
#
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
binary=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
shared=${SETTEE_SHARED:-$here/../../../shared}
check=$shared/conformance/check

if [ ! -f "$check" ]; then
    echo "SKIPPED: ../shared is absent"
    exit 77
fi

# Lines are `scene` (of the suite), `extra scene` (of the further examples) or `first scene` (of the suite, the first ten
# steps only).
listed() { # suite | extra | first
    sed 's/#.*//; s/[[:space:]]*$//; /^$/d' "$here/passing.txt" | awk -v kind="$1" '
        $1 == "extra" || $1 == "first" { if (kind == $1) print $2; next }
        kind == "suite" { print $1 }' | sort -u
}

as_pattern() { echo "^($(sed 's/[][\\.^$*+?(){}|]/\\&/g' | paste -sd '|'))\$"; }

status=0
run() { # suite | extra, options of check
    local kind=$1 scenes pattern unknown
    shift
    scenes=$(listed "$kind")
    [ -n "$scenes" ] || { echo "$kind: no scenes listed"; status=1; return; }
    pattern=$(as_pattern <<<"$scenes")
    unknown=$(comm -23 <(echo "$scenes") <(python3 "$check" "$@" --list --filter "$pattern" | sort))
    if [ -n "$unknown" ]; then
        echo "listed in passing.txt, but not in the $kind list:"
        echo "$unknown"
        status=1
    fi
    python3 "$check" "$@" --settee "$binary" --filter "$pattern" || status=1
}

# Steps 1 and 10 agree with SOFA's full-precision states, whatever comes later.
run_first() {
    local scenes
    scenes=$(listed first)
    { python3 "$check" --settee "$binary" --filter "$(as_pattern <<<"$scenes")" || true; } | awk -v wanted="$(wc -l <<<"$scenes")" '
        { one = ten = "inf"; for (i = 1; i < NF; i++) { if ($i == "@1") one = $(i + 1); if ($i == "@10") ten = $(i + 1) } }
        one < 1e-9 && ten < 1e-9 { print "ok   the first ten steps of " $2 ": " ten; good++ }
        END { if (good != wanted) { print good + 0 " of " wanted " scenes agree in their first ten steps"; exit 1 } }
    ' || status=1
}

run suite
run extra --extra
run_first
exit $status
