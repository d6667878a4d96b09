# The two commands of README.md, and their parts. The build itself is CMake's: see CMakePresets.json.
SHELL := /bin/bash
BUILD_JOBS ?= $(shell nproc 2> /dev/null || echo 2)

.PHONY: help run test check build bench clean setup format
.DEFAULT_GOAL := help

help:
	@echo 'make run     install what is missing, build, simulate scenes/city.json into out/'
	@echo 'make test    install what is missing, build in every way, run every test (35 minutes)'
	@echo 'make check   the quick tests on the debug build (a minute)'
	@echo 'make build   install what is missing, leave build/release/throng'
	@echo 'make bench   the benchmarks beside their baselines'
	@echo 'make format  let clang-format lay out the sources'
	@echo 'make clean   remove build/ and out/'

run: build
	build/release/throng run scenes/city.json --out out

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
