"""A hook of mkdocs: in the site, links to files that are none of its pages, such as scenes and sources, become names.

SPDX-License-Identifier: Apache-2.0
"""
import re


def on_page_markdown(markdown, page, config, files):
    depth = page.file.src_uri.count("/") + 1  # of ../ that lead out of docs/
    return re.sub(r"\[`?([^\]`]+)`?\]\((?:\.\./){%d}[^)]+\)" % depth, r"`\1`", markdown)
