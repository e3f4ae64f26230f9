# The short way to everything; the build itself is CMake's (see CMakePresets.json).
#
#   make run          set up, build, and simulate a soft body: picture and meshes in build/
#   make test         every test, in the release, sanitizer and single-precision builds, and fuzzing
#   make bench        measurements against libraries and the machine
#   make docs         write docs/reference.md from the components' own tables
#   make install      PREFIX=/usr/local DESTDIR=
#   make viewer       add the viewer in the browser where Node.js was missing: settee view, settee run --html
#   make deps         install the Debian packages that are missing; deps-dev adds those of developers
#
# SPDX-License-Identifier: Apache-2.0
PREFIX  ?= /usr/local
DESTDIR ?=
SETTEE  := build/release/bin/settee

.PHONY: all run viewer test bench docs install deps deps-dev clean format tidy

all: deps
	@scripts/build release

# The program alone: tests and benchmarks would take twice as long to build.
run: deps
	@scripts/build release settee_cli
	@$(SETTEE) run examples/jelly.scn -n 200 --png build/jelly.png --vtk build/jelly-vtk --every 10

viewer:
	@scripts/deps --viewer
	@scripts/page --must
	@scripts/build release settee_cli

test: deps
	@scripts/test release asan float clang fuzz

# One of them: test-release, test-debug, test-asan, test-tsan, test-float, test-fuzz, test-clang.
test-%: deps
	@scripts/test $*

bench: all
	@scripts/bench

docs: all
	@scripts/docs $(SETTEE)

install: all
	@DESTDIR="$(DESTDIR)" cmake --install build/release --prefix "$(PREFIX)"
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ]; then ldconfig; fi

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
