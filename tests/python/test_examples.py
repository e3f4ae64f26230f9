"""The examples, and the Python code of docs/python.md, run.

SPDX-License-Identifier: Apache-2.0
"""

import os
import re
import runpy
import subprocess
import sys

import pytest

from conftest import EXAMPLES

FOLDER = os.path.join(EXAMPLES, "python")
DOCS = os.path.join(os.path.dirname(EXAMPLES.rstrip("/")) or ".", "docs", "python.md")


@pytest.mark.parametrize("name", sorted(n for n in os.listdir(FOLDER) if n.endswith(".py")))
def test_an_example_runs(name, tmp_path):
    command = [sys.executable, os.path.join(FOLDER, name)]
    with open(command[1]) as file:
        draws = "picture.png" in file.read()
    done = subprocess.run(command + (["picture.png"] if draws else []), cwd=tmp_path, capture_output=True, text=True,
                          timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert (tmp_path / "picture.png").exists() == draws


@pytest.mark.filterwarnings("ignore")
def test_the_code_of_the_documentation_runs(tmp_path, monkeypatch):
    path = DOCS if os.path.exists(DOCS) else os.path.join(EXAMPLES, "../docs/python.md")
    with open(path) as file:
        blocks = re.findall(r"```python\n(.*?)```", file.read(), re.S)
    assert len(blocks) >= 6
    monkeypatch.chdir(os.path.join(EXAMPLES, ".."))
    script = tmp_path / "all.py"
    script.write_text("\n".join(blocks).replace('"jelly.png"', repr(str(tmp_path / "jelly.png"))))
    runpy.run_path(str(script))
    assert (tmp_path / "jelly.png").exists()
