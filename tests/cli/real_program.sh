#!/usr/bin/env bash
# The program with the real library: a scene goes in, states, picture and VTK files come out.
#
# SPDX-License-Identifier: Apache-2.0
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

cat >fall.scn <<'XML'
<Node name="root" dt="0.5" gravity="0 -10 0">
    <DefaultAnimationLoop/>
    <Node name="body">
        <EulerExplicitSolver symplectic="1"/>
        <MechanicalObject name="dofs" template="Vec3" position="0 0 0  1 0 0"/>
        <UniformMass totalMass="2"/>
        <SpringForceField spring="0 1 100 0 1"/>
    </Node>
</Node>
XML
settee run fall.scn -n 2 --dump-states d --dump-topology t --dump-at all --png p.png --size 64x48 --vtk v
expect_code 0
expect_out "simulated    1 s (dt 0.5 s)"
# v = -5, then -10; x = -2.5, then -7.5
cat >expected <<'TEXT'
STEP 0 TIME 0 STATE /body/dofs Vec3 2 independent
0 0 0
1 0 0
STEP 1 TIME 0.5 STATE /body/dofs Vec3 2 independent
0 -2.5 0
1 -2.5 0
STEP 2 TIME 1 STATE /body/dofs Vec3 2 independent
0 -7.5 0
1 -7.5 0
TEXT
sed -i 's/\(^\| \)-0\( \|$\)/\10\2/g' d
cmp -s d expected || { diff d expected; fail "the dump is not free fall"; }
[ "$(head -c 4 p.png | tail -c 3)" = PNG ] || fail "p.png is no picture"
[ "$(find v -name '*.vtu' | wc -l)" = 3 ] || fail "VTK files: $(ls v)"
grep -q '^<VTKFile type="UnstructuredGrid"' v/*2.vtu || fail "no VTK file"
grep -q 'timestep="1" part="0" file="body_dofs_000002.vtu"' v/scene.pvd || fail "no list: $(cat v/scene.pvd)"
expect_out "v/ (3 files)"

# Pictures of every step, and what cannot be drawn.
settee run fall.scn -n 4 --png 'f/%03d.png' --every 2 --size 64x48 --show trails,velocities --color /body/dofs.velocity
expect_code 0
[ "$(cd f && echo *)" = "000.png 002.png 004.png" ] || fail "$(ls f)"
expect_out "f/%03d.png (3 pictures)"
settee run fall.scn -n 1 --png p.png --color vonMises
expect_code 1
expect_err "'vonMises' cannot color the picture: no force of the scene has it"
settee run fall.scn -n 1 --png p.png --fit /nobody
expect_code 1
expect_err "'/nobody' cannot fit in the picture: nothing is drawn of it"
settee run fall.scn -n 1 --png p.png --show none
expect_code 0
expect_err "the picture is empty"
# A real video, where ffmpeg is there: frames at steps 0, 2 and 4.
if command -v ffprobe >/dev/null; then
    settee run fall.scn -n 4 --every 2 --video v.mp4 --size 64x48
    expect_code 0
    frames=$(ffprobe -v error -count_frames -show_entries stream=nb_read_frames,width -of csv=p=0 v.mp4)
    [ "$frames" = 64,3 ] || fail "v.mp4 has width and frames $frames"
else
    echo "left out: videos, ffmpeg is not installed"
fi
settee matrix fall.scn --which M --format png -o m.png
[ "$(head -c 4 m.png | tail -c 3)" = PNG ] || fail "m.png is no picture"

settee run fall.scn --json --profile -n 2
json "j['status'] == 'ok' and abs(j['energy']['kinetic'] - 100) < 1e-3 and len(j['profile']) > 0"
for threads in 1 2; do settee run fall.scn -q -n 20 --threads $threads --dump-states d$threads; done
cmp -s d1 d2 || fail "two threads give another result"
settee check fall.scn -n 1
expect_code 0
expect_out "stiffness"
expect_out "result       ok"

# check and matrix leave the scene's own files alone.
sed 's|<UniformMass|<WriteState filename="own.txt"/><UniformMass|' fall.scn >writes.scn
settee check writes.scn -n 2
settee matrix writes.scn -n 2
[ ! -e own.txt ] || fail "check or matrix wrote a file of the scene"
settee run writes.scn -n 2
[ -e own.txt ] || fail "run did not write the file of the scene"
grep -q '^wrote .*own.txt$' out || fail "the file of the scene is not listed"

# An explicit step far too long for the spring: it diverges, and the last good state is written.
sed 's/spring="0 1 100 0 1"/spring="0 1 1e30 0 0.5"/' fall.scn >diverge.scn
settee run diverge.scn --dump-states d
expect_code 1
expect_err "failed at time"
grep -qi nan d && fail "NaN in the dump"
grep -q STATE d || fail "no state in the dump"

# Mistakes in scenes.
sed 's/UniformMass/UniformMas/' fall.scn >typo.scn
settee run typo.scn -n 1
expect_err "typo.scn:6: "
expect_err "UniformMass"
settee run typo.scn -n 1 --strict
expect_code 3
echo '<Node><Node></Nod>' >broken.scn
settee run broken.scn -q
expect_code 3
expect_err "broken.scn:1: "
settee run fall.scn -q --png /dev/full
expect_code 1
settee run fall.scn -q --size 16384x16384 --png p.png
expect_code 2

settee info UniformMass
expect_code 0
expect_out "totalMass"
settee info UniformMas
expect_code 2
expect_err "did you mean 'UniformMass'?"
settee info --json
json "len(j) > 20 and all(c['name'] and c['kind'] for c in j)"
settee info --markdown
expect_out "### EulerImplicitSolver"
# Nothing of SOFA's core is missing; a defect of SOFA that is not reproduced is named for the scene that it concerns.
settee info --missing
expect_code 0
expect_empty out
cat >grid.scn <<'XML'
<Node name="root">
    <DefaultAnimationLoop/>
    <EulerImplicitSolver/>
    <SparseLDLSolver/>
    <RegularGridTopology n="2 2 2" min="0 0 0" max="1 1 1"/>
    <MechanicalObject/>
    <UniformMass totalMass="1"/>
    <RegularGridSpringForceField name="springs"/>
</Node>
XML
settee check grid.scn
expect_out "other than SOFA (docs/compatibility.md, defects that are corrected)"
expect_out "RegularGridSpringForceField at /springs: in SOFA the matrix lacks"
settee new plugin MyForce
expect_code 0
for file in my_force_force_field.c plugin.c my_force.scn Makefile; do
    expect_file "MyForce/$file"
    ! grep -qE '@|ttraction' "MyForce/$file" || [ $file = Makefile ] || fail "$file has names of the template"
done
settee new plugin MyForce
expect_code 1
expect_err "MyForce: exists already"
settee new plugin ../x
expect_code 2
expect_err "'../x' is no name for a plug-in"
settee new plugin
expect_code 2
expect_err "plugin NAME is missing"
settee new scene x
expect_code 2
expect_err "settee new plugin NAME"

# A surface becomes a soft body that hangs down; in millimeters, too, and not over what is there.
settee new body "$source_folder/examples/meshes/organ.stl"
expect_code 0
expect_out "size         0.192 x 0.11 x 0.0727 m"
expect_out "next         settee run organ.scn -n 150 --png body.png"
settee run organ.scn -n 40 --strict --png body.png --color vonMises --json
expect_code 0
json "j['warnings'] == 0 and j['energy']['potential'] < -1e-3"
settee new body "$source_folder/examples/meshes/organ.stl"
expect_code 1
expect_err "organ.scn: exists already"
cat >"a & b.obj" <<'OBJ'
v 0 0 0
v 90 0 0
v 0 30 0
v 0 0 40
f 1 3 2
f 1 2 4
f 2 3 4
f 1 4 3
OBJ
settee new body "a & b.obj"
expect_code 0
expect_out "taken as millimeters"
settee run "a & b.scn" -n 2 --strict -q
expect_code 0
sed -i '$d' "a & b.obj" && rm "a & b.scn"
settee new body "a & b.obj"
expect_code 0
expect_out "not closed: 3 edges of one face"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >flat.obj
settee new body flat.obj
expect_code 3
expect_err "flat.obj: there is no volume inside"
settee new body none.stl
expect_code 3
reject_file none.scn
settee new body a.txt
expect_code 2
expect_err "the name of a surface ends in .stl"
settee --version --verbose
expect_code 0
expect_out "libxml2"
# a node below a mapping that uses the topology of the node above it has a record of its own, at the end
cat >shown.scn <<'XML'
<Node name="root">
    <DefaultAnimationLoop/>
    <Node name="body">
        <MeshTopology name="mesh" position="0 0 0  1 0 0  0 1 0" triangles="0 1 2"/>
        <MechanicalObject name="dofs"/>
        <Node name="view">
            <OglModel name="model"/>
            <IdentityMapping input="@../dofs" output="@model"/>
        </Node>
    </Node>
    <Node name="other">
        <MeshTopology name="mesh" edges="0 1"/>
    </Node>
</Node>
XML
settee run shown.scn -n 0 -q --dump-topology t
expect_code 0
[ "$(grep -c '^STEP' t)" = 3 ] || fail "records: $(grep '^STEP' t)"
grep '^STEP' t | tail -1 | grep -q ' /body/mesh ' || fail "the last record is $(grep '^STEP' t | tail -1)"

finish
