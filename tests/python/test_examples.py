"""The examples, and the Python code of docs/python.md, run.

SPDX-License-Identifier: Apache-2.0
"""

import json
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


def jupyter():
    """The command that executes a notebook, or why there is none."""
    try:
        import ipykernel, matplotlib, nbconvert  # noqa: E401, F401
    except ImportError as error:
        pytest.skip(f"{error.name} is missing (apt-get install jupyter-nbconvert python3-ipykernel python3-matplotlib)")
    return [sys.executable, "-m", "jupyter", "nbconvert", "--to", "notebook", "--execute"]


def test_the_notebook_runs(tmp_path):
    """Every cell; scenes, components and plots are shown as pictures and tables."""
    if "LD_PRELOAD" in os.environ:
        pytest.skip("the kernel is not started with a sanitizer")
    command = [*jupyter(), os.path.join(FOLDER, "notebook.ipynb"), "--output-dir", tmp_path, "--output", "done.ipynb"]
    environment = dict(os.environ, HOME=str(tmp_path), IPYTHONDIR=str(tmp_path), MPLCONFIGDIR=str(tmp_path))
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    with open(tmp_path / "done.ipynb") as file:
        cells = [cell for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]
    shown = [key for cell in cells for output in cell["outputs"] for key in output.get("data", {})]
    assert all(cell["execution_count"] for cell in cells)
    assert shown.count("image/png") >= 4 and shown.count("text/html") >= 2


@pytest.mark.filterwarnings("ignore")
def test_the_code_of_the_documentation_runs(tmp_path, monkeypatch):
    path = DOCS if os.path.exists(DOCS) else os.path.join(EXAMPLES, "../docs/python.md")
    with open(path) as file:
        blocks = re.findall(r"```python\n(.*?)```", file.read(), re.S)
    assert len(blocks) >= 6
    monkeypatch.chdir(os.path.join(EXAMPLES, ".."))
    script = tmp_path / "all.py"
    pytest.importorskip("matplotlib", reason="matplotlib is missing (apt-get install python3-matplotlib)")
    text = "\n".join(blocks)
    for name in ("jelly.png", "sag.png"):
        text = text.replace(f'"{name}"', repr(str(tmp_path / name)))
    script.write_text(text)
    made = runpy.run_path(str(script))
    assert (tmp_path / "jelly.png").exists() and (tmp_path / "sag.png").exists()
    assert made["sag"](2e3) == pytest.approx(2 * made["sag"](4e3), rel=1e-6)
