#!/usr/bin/env bash
# settee run --set: another value for an attribute, sweeps over several; scenes from standard input, runs that write
# nothing, reports.
#
# SPDX-License-Identifier: Apache-2.0
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

cat >ball.scn <<'XML'
<Node name="root" gravity="0 -10 0" dt="0.1">
    <DefaultAnimationLoop/>
    <Node name="ball">
        <EulerExplicitSolver/>
        <MechanicalObject name="dofs" position="0 0 0"/>
        <UniformMass name="mass" totalMass="1"/>
        <WriteState filename="written.txt" time="0"/>
    </Node>
</Node>
XML

# one value: v = 10 after 1 s, so that the kinetic energy is 50 m
settee run ball.scn -n 10 --json --set /ball/mass.totalMass=4 --read-only
expect_code 0
json "abs(j['energy']['kinetic'] - 200) < 1e-9"
reject_file written.txt
settee run ball.scn -n 10 --json --set /.gravity="0 -20 0"
json "abs(j['energy']['kinetic'] - 200) < 1e-9"
expect_file written.txt

# a sweep: the last attribute varies fastest; folders, logs, a table
settee run ball.scn -n 10 --set /ball/mass.totalMass=1,2 --set "/.gravity=0 -10 0,0 -20 0" --dump-states last.txt --into moduli
expect_code 0
expect_out "/ball/mass.totalMass"
expect_lines moduli/summary.csv 5
for k in 1 2 3 4; do
    expect_file moduli/000$k/last.txt
    expect_file moduli/000$k/log.txt
done
command -v python3 >/dev/null && python3 - <<'PY' || fail "the table is not right"
import csv
rows = list(csv.DictReader(open("moduli/summary.csv")))
assert [r["/ball/mass.totalMass"] for r in rows] == ["1", "1", "2", "2"]
assert [r["/.gravity"] for r in rows] == ["0 -10 0", "0 -20 0"] * 2
assert [round(float(r["kinetic"])) for r in rows] == [50, 200, 100, 400]
assert all(r["exit_code"] == "0" and r["steps"] == "10" for r in rows)
PY

# a run that cannot start does not stop the others, and its code is that of the sweep
settee run ball.scn -n 2 --set /ball/mass.totalMass=1,x,3 --into odd
expect_code 2
expect_file odd/0003/log.txt
grep -q "totalMass cannot be 'x'" odd/0002/log.txt || fail "the log does not say what was wrong"

# standard input
"$program" run - -n 10 --json --read-only <ball.scn >out 2>err
code=$?
what="settee run -"
expect_code 0
json "abs(j['energy']['kinetic'] - 50) < 1e-9"
printf 'no scene' | "$program" run - >out 2>err
code=$?
expect_code 3

# a page with pictures and curves
settee run ball.scn -n 10 --report page.html
expect_code 0
expect_out "page.html"
[ "$(grep -c 'data:image/png;base64,' page.html)" = 6 ] || fail "there are not six pictures in the page"
[ "$(grep -c '<polyline' page.html)" = 3 ] || fail "there are not three curves in the page"
settee run ball.scn -n 10 --report /nowhere/page.html
expect_code 1
settee run ball.scn -n 10 --report page.html --png page.html
expect_code 2

# what is wrong
settee run ball.scn --set ball.x=1
expect_code 2
expect_err "is not PATH.FIELD=VALUE"
settee run ball.scn --set /nobody.x=1
expect_code 2
expect_err "there is no '/nobody' in the scene"
settee run ball.scn --set /ball/mass.weight=1
expect_code 2
expect_err "/ball/mass, a UniformMass, has no attribute 'weight'"
settee run ball.scn --set /ball/mass.totalMass=x
expect_code 2
expect_err "/ball/mass.totalMass cannot be 'x'"
settee run ball.scn --set /ball/mass.totalMass=1,,2
expect_code 2
expect_err "is empty"
settee run - --set /ball/mass.totalMass=1,2
expect_code 2
expect_err "can be run once"
settee run ball.scn --into x
expect_code 2
expect_err "--into has no meaning without --set"
touch taken
settee run ball.scn --set /ball/mass.totalMass=1,2 --into taken
expect_code 1
finish
