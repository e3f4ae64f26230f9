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

# Lines are `scene` (of the suite) or `extra scene` (of the further examples).
listed() { # suite | extra
    sed 's/#.*//; s/[[:space:]]*$//; /^$/d' "$here/passing.txt" | awk -v kind="$1" '
        $1 == "extra" { if (kind == "extra") print $2; next }
        kind == "suite" { print $1 }' | sort -u
}

status=0
run() { # suite | extra, options of check
    local kind=$1 scenes pattern unknown
    shift
    scenes=$(listed "$kind")
    [ -n "$scenes" ] || { echo "$kind: no scenes listed"; status=1; return; }
    pattern="^($(sed 's/[][\\.^$*+?(){}|]/\\&/g' <<<"$scenes" | paste -sd '|'))\$"
    unknown=$(comm -23 <(echo "$scenes") <(python3 "$check" "$@" --list --filter "$pattern" | sort))
    if [ -n "$unknown" ]; then
        echo "listed in passing.txt, but not in the $kind list:"
        echo "$unknown"
        status=1
    fi
    python3 "$check" "$@" --settee "$binary" --filter "$pattern" || status=1
}

run suite
run extra --extra
exit $status
