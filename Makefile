# The short way to everything; the build itself is CMake's (see CMakePresets.json).
#
#   make run          set up, build, and simulate a soft body: picture and meshes in build/
#   make check        the tests that a contributor needs while working, in two minutes
#   make test         every test, in the release, sanitizer and single-precision builds, and fuzzing
#   make conformance  SOFA=/path/to/sofa: SOFA's regression scenes against SOFA's references
#   make bench        measurements against libraries and the machine
#   make docs         write the reference from the components' own tables, and the site with all pages
#   make install      PREFIX=/usr/local DESTDIR=
#   make wheel        the Python package as build/settee-...-cp311-abi3-....whl
#   make viewer       add the viewer in the browser where Node.js was missing: settee view, settee run --html
#   make cluster      add PetscLinearSolver and settee-mpi where PETSc or Open MPI was missing (docs/cluster.md)
#   make deps         install the Debian packages that are missing; deps-dev adds those of developers
#
# SPDX-License-Identifier: Apache-2.0
PREFIX  ?= /usr/local
DESTDIR ?=
SETTEE  := build/release/bin/settee

.PHONY: all run viewer cluster check test conformance bench docs install wheel deps deps-dev clean format tidy

all: deps
	@scripts/build release

# The program alone: tests and benchmarks would take twice as long to build.
run: deps
	@scripts/build release settee_cli
	@$(SETTEE) run examples/organ.scn -n 120 --png build/organ.png --vtk build/organ-vtk --every 10 \
		--report build/organ.html

check: deps
	@scripts/test --quick release

viewer:
	@scripts/deps --viewer
	@scripts/page --must
	@scripts/build release settee_cli

cluster:
	@scripts/deps --cluster
	@scripts/build release settee_cli petsc_plugin settee_mpi

test: deps
	@echo "every test in five builds: about 15 minutes on two cores, 30 the first time (make check takes 2)"
	@scripts/test release asan float clang fuzz

conformance: deps
	@[ -d "$(SOFA)" ] || { echo "usage: make conformance SOFA=/path/to/sofa"; exit 2; }
	@scripts/build release settee_cli
	@scripts/conformance $(SETTEE) "$(SOFA)"

# One of them: test-release, test-debug, test-asan, test-tsan, test-float, test-fuzz, test-clang.
test-%: deps
	@scripts/test $*

bench: all
	@scripts/bench

docs: deps
	@scripts/build release settee_cli
	@scripts/docs $(SETTEE)
	@if command -v mkdocs >/dev/null; then mkdocs build --quiet --site-dir build/site && echo "site: build/site/index.html"; \
	else echo "the site is left out: mkdocs is not installed (make deps-dev)"; fi

# The library, the program and what belongs to them: no tests.
install: deps
	@scripts/build release settee_installed
	@DESTDIR="$(DESTDIR)" cmake --install build/release --prefix "$(PREFIX)"
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ]; then ldconfig; fi

wheel: deps
	@scripts/build release settee_installed
	@/usr/bin/env python3 scripts/wheel build/release build

deps:
	@scripts/deps
	@scripts/page

deps-dev:
	@scripts/deps --developer

format:
	@git ls-files --cached --others --exclude-standard '*.[ch]' | xargs clang-format -i

tidy: all
	@run-clang-tidy -quiet -p build/release '/(src|cli|plugins|viewer)/'

clean:
	@rm -rf build
