# The two commands of README.md, and their parts. The build itself is CMake's: see CMakePresets.json.
SHELL := /bin/bash
BUILD_JOBS ?= $(shell nproc 2> /dev/null || echo 2)

.PHONY: help run test check build bench clean setup format
.DEFAULT_GOAL := help

help:
	@echo 'make run     install what is missing, build, show scenes/city.json: a window, or files in out/'
	@echo 'make test    install what is missing, build in every way, run every test (35 minutes)'
	@echo 'make check   the quick tests on the debug build (a minute)'
	@echo 'make build   install what is missing, leave build/release/throng'
	@echo 'make bench   the benchmarks beside their baselines'
	@echo 'make format  let clang-format lay out the sources'
	@echo 'make clean   remove build/ and out/'

# The window where there is a display, else what it would show as out/city.png and out/city.mp4.
# Without Vulkan (status 2) the plan in two dimensions, which needs nothing.
CITY := build/release/throng view scenes/city.json --start 30 --layers heat,goals
run: build
	@mkdir -p out
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then $(CITY); else \
	    $(CITY) --size 1280x720 --png out/city.png && \
	    $(CITY) --size 960x540 --samples 1 --speed 4 --frames 150 --video out/city.mp4 && \
	    echo 'make run: no display; out/city.png and out/city.mp4 show the city'; fi || \
	    { [ $$? -eq 2 ] && build/release/throng run scenes/city.json --out out; }

test: setup
	tools/test.sh

check: setup
	tools/build.sh dev
	ctest --test-dir build/dev -L quick -j $(BUILD_JOBS) --output-on-failure --no-tests=error

build: setup
	tools/build.sh release

bench:
	@tools/setup.sh librecast-dev || tools/setup.sh
	tools/build.sh release
	build/release/throng bench

setup:
	@tools/setup.sh

format:
	tools/check_format.sh --fix

clean:
	rm -rf build out
