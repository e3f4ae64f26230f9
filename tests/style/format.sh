#!/usr/bin/env bash
# Formatting changes nothing: every C file is as `make format` leaves it. Skipped where clang-format 14 is not installed, since
# other versions format differently.
#
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
cd "$(dirname "$0")/../.."

program=$(command -v clang-format-14 || command -v clang-format || true)
if [ -z "$program" ]; then
    echo "SKIPPED: clang-format is not installed"
    exit 77
fi
major=$("$program" --version | sed -n 's/.*version \([0-9]*\).*/\1/p')
if [ "$major" != 14 ]; then
    echo "SKIPPED: clang-format is version $major, not 14"
    exit 77
fi

mapfile -t files < <(find bench cli cluster include plugins python src tests viewer/*.[ch] -name '*.[ch]' | sort)
[ "${#files[@]}" -ge 100 ] || { echo "only ${#files[@]} files were found"; exit 1; }
printf '%s\0' "${files[@]}" | xargs -0 -n 64 -P "$(nproc)" "$program" --dry-run -Werror
echo "${#files[@]} files are formatted"
