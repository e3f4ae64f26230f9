#!/usr/bin/env bash
# Python scripts as scenes: the same options, output and exit codes as for scene files. Skipped where the build has no Python
# package, or Python no NumPy.
#
# SPDX-License-Identifier: Apache-2.0
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

# Python itself is built without AddressSanitizer: its library comes first, and leaks are those of the interpreter.
sanitizer=$(ldd "$program" | sed -n 's/.*=> \(.*libasan[^ ]*\).*/\1/p')
if [ -n "$sanitizer" ]; then
    export LD_PRELOAD=$sanitizer ASAN_OPTIONS=detect_leaks=0
fi

cat >fall.py <<'PY'
import os
import sys

import Sofa
import helper


class Watch(Sofa.Core.Controller):
    def init(self):
        print("init at", self.getContext().getPathName())

    def onAnimateEndEvent(self, event):
        self.getContext().dofs.velocity[1] = 0
        if "fail" in sys.argv:
            raise ValueError("on purpose")


def createScene(root):
    print("words", sys.argv, "in", os.getcwd())
    root.dt = helper.DT
    root.gravity = [0, -10, 0]
    root.addObject("RequiredPlugin", name="Sofa.Component.ODESolver.Forward")
    root.addObject("DefaultAnimationLoop")
    body = root.addChild("body")
    body.addObject("EulerExplicitSolver", symplectic=True)
    body.addObject("MechanicalObject", name="dofs", position=[[0, 0, 0], [1, 0, 0]])
    body.addObject("UniformMass", name="mass", totalMass=2)
    body.addObject(Watch(name="watch"))
    if "break" in sys.argv:
        raise KeyError("half built")


if __name__ == "__main__":
    raise RuntimeError("a scene is not the main program")
PY
echo 'DT = 0.5' >helper.py
settee run fall.py -q -n 0
if grep -q 'needs the package\|needs NumPy\|needs Python' err; then
    echo "skipped: $(cat err)"
    exit 77
fi

# The scene is in its folder, whichever the present one is; files are relative to the present one.
mkdir elsewhere && cd elsewhere || exit 1
settee run ../fall.py -n 2 --dump-states d --png p.png --size 64x48 --vtk v --argv 3 soft
expect_code 0
expect_out "words ['fall', '3', 'soft'] in $(dirname "$PWD")"
expect_out "init at /body"
expect_out "simulated    1 s (dt 0.5 s)"
printf 'STEP 2 TIME 1 STATE /body/dofs Vec3 2 independent\n0 -7.5 0\n1 -5 0\n' >expected
sed -i 's/\(^\| \)-0\( \|$\)/\10\2/g' d
cmp -s d expected || { diff d expected; fail "not the fall that the controller makes"; }
[ "$(head -c 4 p.png | tail -c 3)" = PNG ] || fail "p.png is no picture"
[ "$(find v -name "*.vtu" | wc -l)" = 3 ] || fail "VTK files: $(ls v)"
cd ..

# Other commands, --set, JSON.
settee run fall.py -q -n 1 --set /body/mass.totalMass=6 --json --threads 2
sed -i '/^words\|^init/d' out
json "j['status'] == 'ok' and abs(j['energy']['kinetic'] - 6 * 25 / 4) < 1e-3"
settee check fall.py
expect_code 0
expect_out "verdict"
settee matrix fall.py --which M --format summary
expect_code 0
expect_out "6 x 6"

# What a script says counts as what the engine says.
settee run fall.py -q -n 3 --argv fail
expect_code 4
expect_err 'ValueError: on purpose'
expect_err 'fall.py", line 15'
expect_err '2 more times'
settee run fall.py -n 1 --argv break
expect_code 4
expect_err "KeyError: 'half built'"
expect_out "steps        1"
echo 'def createScene(root)' >typo.py
settee run typo.py -n 0
expect_code 4
expect_err "SyntaxError"
echo 'x = 1' >none.py
settee run none.py -n 0
expect_code 4
expect_err "there is no function createScene(root)"

# A script that ends Python does not end the program as if all were well.
printf 'import sys\n\n\ndef createScene(root):\n    sys.exit(0)\n' >leave.py
settee run leave.py -n 2
expect_code 3
expect_err "the script called sys.exit(0)"

# A force field that fails stops the run.
cat >force.py <<'PY'
import Sofa


class Force(Sofa.Core.ForceFieldVec3d):
    def addForce(self, params, force, position, velocity):
        if params["time"] > 0.015:
            raise ArithmeticError("out of range")

    def addDForce(self, params, df, dx):
        pass


def createScene(root):
    root.addObject("DefaultAnimationLoop")
    root.addObject("EulerExplicitSolver")
    root.addObject("MechanicalObject", name="dofs", position=[[0, 0, 0]])
    root.addObject("UniformMass", totalMass=1)
    root.addObject(Force(name="force"))
PY
settee run force.py -q -n 10
expect_code 1
expect_err "step 3 of 10 failed"
expect_err "ArithmeticError: out of range"

# What is refused.
settee run fall.py --set /body/mass.totalMass=1,2
expect_code 2
expect_err "a script can be run once"
settee run absent.py
expect_code 3
expect_err "there is no such file"
printf '<Node name="root"><DefaultAnimationLoop/></Node>' >a.scn
settee run a.scn --argv 3
expect_code 2
expect_err "is no Python script"
SETTEE_PYTHON=/nowhere/python settee run fall.py
expect_code 1
expect_err "/nowhere/python cannot be started"

finish
