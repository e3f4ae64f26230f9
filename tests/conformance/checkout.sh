#!/usr/bin/env bash
# scripts/conformance on a folder that looks like a checkout of SOFA: scenes of both kinds agree, and a reference that was
# changed is noticed. Without ../shared (or SETTEE_SHARED) the test is skipped, visibly.
#
# usage: checkout.sh SETTEE_BINARY
#
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
binary=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
shared=$(realpath "${SETTEE_SHARED:-$here/../../../shared}" 2>/dev/null || true)/conformance
[ -f "$shared/check" ] || { echo "SKIPPED: ../shared is absent"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/regression"
ln -s "$shared/sofa/share" "$work/share"
cp -rs "$shared/sofa/examples" "$work/examples"
cp -rL "$shared/references/examples" "$work/regression/references"
cat >"$work/examples/States.regression-tests" <<'LIST'
# scenes
../regression/references
Demos/liver.scn 100 1e-4 1 1
Benchmark/Analysis/Pendulum.scn 300 1e-4 0 1
Demos/absent.scn 10 1e-4 1 1
LIST
cat >"$work/examples/Topology.regression-tests" <<'LIST'
../regression/references
Component/Topology/Container/Dynamic/RemovingTetraProcess.scn 300 1e-4 1 1
LIST

fail() { echo "FAILED: $1"; cat "$work/out"; exit 1; }
"$here/../../scripts/conformance" "$binary" "$work" >"$work/out" || fail "scenes that agree are refused"
grep -q "^3 of 3 scenes agree" "$work/out" || fail "not all scenes were judged"
grep -q "^skipped .*absent.scn" "$work/out" || fail "a scene that is not there is not named"

reference=$(ls "$work"/regression/references/Benchmark/Analysis/Pendulum.scn.reference_0*)
gzip -dc "$reference" | sed '/X=/s/[0-9.]* *$/77/' | gzip >"$work/changed" && cp "$work/changed" "$reference"
! "$here/../../scripts/conformance" "$binary" "$work" --filter Pendulum >"$work/out" || fail "a changed reference is not noticed"
! "$here/../../scripts/conformance" "$binary" "$here" >"$work/out" 2>&1 || fail "a folder without scenes is accepted"
grep -q "is this a checkout of SOFA" "$work/out" || fail "it does not say what is wrong"
echo "ok"
