"""Every statement of the acceptance list is named by a test of Sofa, or in docs/from-sofapython3.md.

SPDX-License-Identifier: Apache-2.0
"""

import os
import re

GROUPS = dict(A=10, B=26, C=43, D=30, E=42, F=41, G=30, H=26, I=20, J=21, K=18, L=20, M=11, O=11, P=12)
HERE = os.path.dirname(os.path.abspath(__file__))


def test_every_statement_is_shown_or_explained():
    assert sum(GROUPS.values()) == 361
    files = [os.path.join(HERE, f) for f in os.listdir(HERE) if f.startswith("test_sofa_") and f != os.path.basename(__file__)]
    comments = ""
    for path in [*files, os.path.join(HERE, "../../docs/from-sofapython3.md")]:
        with open(path, encoding="utf-8") as file:
            comments += "\n".join(re.findall(r"#.*" if path.endswith(".py") else r".*", file.read()))
    named = set(re.findall(r"\b([A-P][0-9]{1,2})\b", comments))
    missing = [f"{group}{i}" for group, count in GROUPS.items() for i in range(1, count + 1) if f"{group}{i}" not in named]
    assert not missing
