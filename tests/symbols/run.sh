#!/usr/bin/env bash
# Only names that start with st_ or ST_ may leave the library: what the shared one exports and what the static one
# defines, since either could collide with a user's own names.
#
# usage: run.sh libsettee.so libsettee.a
#
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

names() { awk 'NF >= 3 {print $3}' | sed 's/@.*//' | sort -u; }
status=0

check() { # file, its names
    local wrong
    wrong=$(grep -Ev '^(st_|ST_)' <<<"$2" || true)
    if [ -z "$2" ]; then
        echo "$1 defines no names at all"
        status=1
    elif [ -n "$wrong" ]; then
        echo "$1 has names that start with neither st_ nor ST_ (make them static, or rename them):"
        echo "$wrong"
        status=1
    else
        echo "$1: $(wc -l <<<"$2") names"
    fi
}

check "$1" "$(nm -D --defined-only "$1" | names)"
check "$2" "$(nm -g --defined-only "$2" | names)"
exit $status
