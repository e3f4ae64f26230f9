"""The package as it is installed: a wheel in a fresh environment, the program, types for checkers.

SPDX-License-Identifier: Apache-2.0
"""

import os
import shutil
import subprocess
import sys

import pytest

import settee
from conftest import EXAMPLES

SOURCE = os.environ.get("SETTEE_SOURCE") or os.path.join(os.path.dirname(__file__), "../..")
BUILD = os.environ.get("SETTEE_BUILD")
SANITIZED = "address" in settee.build_info or "LD_PRELOAD" in os.environ

needs_build = pytest.mark.skipif(not BUILD or SANITIZED, reason="needs an ordinary build")


@needs_build
def test_a_wheel_works_in_a_fresh_environment(tmp_path):
    subprocess.run([sys.executable, os.path.join(SOURCE, "scripts/wheel"), BUILD, tmp_path], check=True,
                   stdout=subprocess.DEVNULL)
    wheels = list(tmp_path.glob("settee-*-cp311-abi3-linux_*.whl"))
    assert len(wheels) == 1

    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "SETTEE", "LD_"))}
    subprocess.run([sys.executable, "-m", "venv", "env"], cwd=tmp_path, env=environment, check=True)
    subprocess.run(["env/bin/python", "-m", "pip", "install", "--quiet", "--no-index", wheels[0]], cwd=tmp_path,
                   env=environment, check=True)
    shutil.copy(os.path.join(EXAMPLES, "jelly.scn"), tmp_path)

    # without NumPy, and with what the wheel holds
    script = ("import settee, os\n"
              "folder = os.path.dirname(settee.__file__)\n"
              "assert os.getcwd() in folder\n"
              "scene = settee.load('jelly.scn')\n"
              "scene.step(3)\n"
              "libraries = {line.split()[-1] for line in open('/proc/self/maps') if 'libsettee' in line}\n"
              "assert all(path.startswith(folder) for path in libraries) and libraries, libraries\n"
              "assert os.path.isdir(os.path.join(folder, 'share/settee/Objects'))\n"
              "print(scene.dump(3))\n")
    done = subprocess.run(["env/bin/python", "-c", script], cwd=tmp_path, env=environment, check=True,
                          capture_output=True, text=True)
    with settee.load(os.path.join(EXAMPLES, "jelly.scn")) as scene:
        scene.step(3)
        assert done.stdout == scene.dump(3) + "\n"

    # the program, by its own name and by the module
    for command in (["env/bin/settee"], ["env/bin/python", "-m", "settee"]):
        done = subprocess.run([*command, "--version"], cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.stdout == f"settee {settee.__version__}\n", done.stderr
    done = subprocess.run(["env/bin/settee", "run", "jelly.scn", "-n", "2"], cwd=tmp_path, env=environment)
    assert done.returncode == 0


@needs_build
def test_the_installed_package_works(tmp_path):
    prefix = tmp_path / "usr"
    subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
    package = next(prefix.glob("lib/python3*/*-packages/settee"))
    environment = dict(os.environ, PYTHONPATH=str(package.parent))
    script = "import settee; s = settee.Scene(); s.root.add('DefaultAnimationLoop'); s.step(2); print(settee.__file__)"
    done = subprocess.run([sys.executable, "-c", script], env=environment, cwd=tmp_path, check=True, capture_output=True,
                          text=True)
    assert str(prefix) in done.stdout
    done = subprocess.run([sys.executable, "-m", "settee", "--version"], env=environment, cwd=tmp_path,
                          capture_output=True, text=True)
    assert done.stdout.startswith("settee ")


@needs_build
def test_the_stable_abi_is_kept():
    """The module takes from Python only what the stable ABI has: names that every Python from 3.11 on exports."""
    path = next(p for p in os.listdir(os.path.dirname(settee.__file__)) if p.startswith("_settee.") and p.endswith(".so"))
    assert path == "_settee.abi3.so"
    names = subprocess.run(["nm", "-D", "--undefined-only", os.path.join(os.path.dirname(settee.__file__), path)],
                           check=True, capture_output=True, text=True).stdout.split()
    private = [n for n in names if n.startswith("_Py") and not n.endswith("_SizeT")
               and n not in ("_Py_NoneStruct", "_Py_TrueStruct", "_Py_FalseStruct", "_Py_Dealloc")]
    assert not private
    exported = subprocess.run(["nm", "-D", "--defined-only", os.path.join(os.path.dirname(settee.__file__), path)],
                              check=True, capture_output=True, text=True).stdout.split()[2::3]
    assert exported == ["PyInit__settee"]


@needs_build
@pytest.mark.skipif(not shutil.which("mypy"), reason="mypy is not installed")
def test_types_of_components(tmp_path):
    good = tmp_path / "good.py"
    good.write_text("import settee\nfrom settee.components import MechanicalObject, UniformMass\n"
                    "def f(m: UniformMass, s: MechanicalObject) -> float:\n"
                    "    m.totalMass = 3\n    s.position = [[0, 0, 0]]\n    return m.totalMass + float(s.position[0, 0])\n")
    bad = tmp_path / "bad.py"
    bad.write_text("from settee.components import UniformMass\n"
                   "def f(m: UniformMass) -> str:\n    m.totalMass = []\n    return m.totalMass\n")
    environment = dict(os.environ, MYPYPATH=os.path.dirname(os.path.dirname(settee.__file__)))
    command = ["mypy", "--no-incremental", "--cache-dir", os.devnull, "--follow-imports", "silent", good, bad]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    errors = [line for line in done.stdout.splitlines() if "error:" in line]
    assert len(errors) == 2 and all("bad.py" in line for line in errors), done.stdout


def test_every_class_has_a_type():
    names = dir(settee.components)
    assert len(names) > 300
    for name in names:
        kind = getattr(settee.components, name)
        assert kind.__doc__ and kind.__name__ == name
