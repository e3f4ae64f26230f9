#!/usr/bin/env bash
# The real program: settee view prints one address and serves there until it is ended, and --html writes a page.
#
# SPDX-License-Identifier: Apache-2.0
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
cp "$source_folder/examples/jelly.scn" .

settee run jelly.scn -n 4 --html page.html --every 2
if [ "$code" = 1 ] && grep -q "built without the viewer" err; then
    echo "SKIPPED: the viewer is left out of this build: 'make viewer' adds it"
    exit 77
fi
expect_code 0
expect_out "page.html (3 frames, "
grep -q 'id="recording">eJ' page.html || fail "no recording in the page"
settee run jelly.scn -n 1 -q --html /dev/full
expect_code 1
expect_err "/dev/full"
settee run jelly.scn -n 1 -q --html no/such/folder.html
expect_code 1

# ended by a signal: the address is the only line, and the exit code that of the scene
what="settee view"
"$program" view jelly.scn --no-browser -q >out 2>err &
pid=$!
for _ in $(seq 100); do [ -s out ] && break || sleep 0.1; done
grep -qE '^http://127\.0\.0\.1:[0-9]+/\?token=[0-9a-f]{32}$' out || fail "no address"
expect_lines out 1
kill -s TERM $pid
wait $pid
code=$?
expect_code 0

settee view no.scn --no-browser
expect_code 3
settee view jelly.scn --no-browser --token short
expect_code 1
expect_err "the token must have 8 to 128"
finish
