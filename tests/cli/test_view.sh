#!/usr/bin/env bash
# settee view and run --html: their options, and what a program says that was built without the viewer, as this one is.
#
# SPDX-License-Identifier: Apache-2.0
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
scene a.scn ''

settee view a.scn --no-browser
expect_code 1
expect_err "a.scn: this program was built without the viewer; 'make viewer'"
expect_empty out
settee run a.scn -n 1 --html page.html
expect_code 1
expect_err "page.html: this program was built without the viewer; 'make viewer'"
reject_file page.html

for words in "--bind 0.0.0.0" "--port 0" "--port 65536" "--port x"; do
    # shellcheck disable=SC2086
    settee view a.scn $words
    expect_code 2
done
settee view a.scn --bind 0.0.0.0
expect_err "--bind has no meaning without --token"
settee run a.scn --html a.scn
expect_code 2
expect_err "--html and the scene are the same file"
settee run a.scn --html - --json
expect_code 2
expect_err "--json and --html - both need standard output"
settee run a.scn --every 2
expect_err "--every has no meaning without --vtk or --"
finish
