#!/usr/bin/env bash
# Installs settee into a scratch folder and uses it from there as a user would: a small C program compiled with
# pkg-config against the shared library, the same with find_package, and the same against the static library; and, as an
# author of components would, the example plug-in, compiled against the installed headers alone.
#
# usage: run.sh CMAKE BUILD_FOLDER C_COMPILER
#
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
cmake=$1 build=$2 compiler=$3
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

DESTDIR=$scratch "$cmake" --install "$build" --prefix /opt/settee >"$scratch/log" || { cat "$scratch/log"; exit 1; }
root=$scratch/opt/settee
lib=$(dirname "$(find "$root" -name libsettee.so)")
[ -n "$lib" ] || { echo "libsettee.so was not installed"; exit 1; }
version=$(sed -n 's/^#define SETTEE_VERSION "\(.*\)"/\1/p' "$root/include/settee/config.h")

run() { # name, program
    local said
    said=$(LD_LIBRARY_PATH=$lib "$2")
    echo "$1: $said"
    grep -qF "settee $version" <<<"$said" || { echo "expected 'settee $version' in it"; exit 1; }
}

export PKG_CONFIG_PATH=$lib/pkgconfig
# shellcheck disable=SC2046 # the flags are words
"$compiler" -std=c11 -Wall -Werror "$here/main.c" $(pkg-config --cflags --libs settee) -o "$scratch/shared"
run "pkg-config, shared" "$scratch/shared"

# shellcheck disable=SC2046
"$compiler" -std=c11 -Wall -Werror "$here/main.c" $(pkg-config --cflags settee) "$lib/libsettee.a" \
    $(pkg-config --static --libs settee | tr ' ' '\n' | grep -v '^-lsettee$') -o "$scratch/static"
run "pkg-config, static" "$scratch/static"

"$cmake" -S "$here" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$root" -DCMAKE_C_COMPILER="$compiler" >"$scratch/log" &&
    "$cmake" --build "$scratch/build" >>"$scratch/log" || { cat "$scratch/log"; exit 1; }
run "find_package" "$scratch/build/example"

# Both shelves: headers for programs, and headers for authors of components.
for header in settee matrix mesh file types plugin/component plugin/physics plugin/solver plugin/constraint plugin/state \
    plugin/topology plugin/draw; do
    [ -s "$root/include/settee/$header.h" ] || { echo "settee/$header.h was not installed"; exit 1; }
done
# shellcheck disable=SC2046
"$compiler" -std=c11 -Wall -Werror -shared -fPIC $(pkg-config --cflags settee) "$here"/../../plugins/example/*.c \
    -o "$scratch/example_plugin.so"

# The installed program, its manual page, its version, and the plug-in in a scene.
if [ -x "$build/bin/settee" ]; then
    cat >"$scratch/plugin.scn" <<SCENE
<Node name="root" dt="0.01">
    <RequiredPlugin pluginName="example_plugin"/>
    <DefaultAnimationLoop/>
    <EulerExplicitSolver/>
    <MechanicalObject position="1 0 0"/>
    <UniformMass totalMass="1"/>
    <AttractionForceField stiffness="3"/>
</Node>
SCENE
    "$root/bin/settee" run "$scratch/plugin.scn" -n 2 --strict -q --plugin-path "$scratch"
    echo "plug-in: built against the installed headers, and run"
    (cd "$scratch" && "$root/bin/settee" new plugin MyForce && cd MyForce &&
        make test CC="$compiler" CFLAGS="-Wall -Wextra -Werror" SETTEE="$root/bin/settee")
    echo "settee new plugin: built, run and checked"
    "$root/bin/settee" --version | grep -F "$version"
    [ -s "$root/share/doc/settee/examples/meshes/organ.vtk" ] || { echo "the examples were not installed"; exit 1; }
    [ -s "$root/share/man/man1/settee.1" ] || { echo "the manual page was not installed"; exit 1; }
fi
