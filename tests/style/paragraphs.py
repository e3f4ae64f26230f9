#!/usr/bin/env python3
"""Functions are written in paragraphs (docs/style.md): a function longer than fifteen lines of code has blank lines
between its phases and a comment above at least one of them.

usage: paragraphs.py [--list] FILE...     (--list: only the figures per folder and the functions that lack paragraphs)

SPDX-License-Identifier: Apache-2.0
"""
import collections
import os
import re
import sys

LONG = 15  # lines of code


def functions(path):
    """(name, line, code lines, blank lines, comment lines) of every function; lines within its braces."""
    name, start, inside = None, 0, []
    with open(path, encoding="utf-8") as text:
        for number, line in enumerate(text, 1):
            line = line.rstrip("\n")
            if name is None:
                head = re.search(r"\b(\w+)\(", line)
                if re.match(r"[A-Za-z_]", line) and head and not line.startswith(("#", "typedef")):
                    pending = head.group(1)
                if line.endswith("{") and not line.startswith((" ", "typedef", "struct", "enum", "static const", "const")):
                    name, start, inside = pending if re.search(r"\)\s*\{$", line) else None, number, []
                elif line.endswith(") {"):
                    name, start, inside = pending, number, []
            elif line.startswith("}"):
                blank = sum(not l.strip() for l in inside)
                comment = sum(l.strip().startswith("//") or " // " in l for l in inside)
                whole = sum(l.strip().startswith("//") for l in inside)
                yield name, start, len(inside) - blank - whole, blank, comment
                name = None
            else:
                inside.append(line)


def main():
    listing = "--list" in sys.argv
    folders = collections.defaultdict(lambda: [0, 0, 0])
    lacking = []
    for path in (a for a in sys.argv[1:] if a != "--list"):
        for name, line, code, blank, comment in functions(path):
            total = folders[os.path.dirname(path)]
            for i, n in enumerate((code, blank, comment)):
                total[i] += n
            if code > LONG and (blank == 0 or comment == 0):
                lacking.append(f"{path}:{line}: {name} has {code} lines, {blank} blank ones and {comment} comments")
    if listing:
        for folder, (code, blank, comment) in sorted(folders.items()):
            print(f"{folder}: {code} lines of code; for 100 of them {100 * blank / max(code, 1):.1f} blank lines, "
                  f"{100 * comment / max(code, 1):.1f} comments")
    print("\n".join(lacking))
    print(f"{len(lacking)} long functions without paragraphs")
    return 0 if listing or not lacking else 1


if __name__ == "__main__":
    sys.exit(main())
