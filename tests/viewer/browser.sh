#!/usr/bin/env bash
# The page of the viewer in Chromium; skipped where it is not installed.
#
# usage: browser.sh NODE PROGRAM SOURCE
#
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
node=$1 program=$2 source=$3
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$chromium" ]; then
    echo "SKIPPED: the viewer's page is not tested in a browser: chromium is not installed (make deps-dev)"
    exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$node" "$source/tests/viewer/browser.mjs" "$program" "$source/examples" \
    "$source/viewer/page/node_modules/playwright-core" "$chromium" "$folder"
