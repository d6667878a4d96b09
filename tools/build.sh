#!/usr/bin/env bash
# Configures a preset if its folder is new, and builds it. Says little unless it fails.
#
# usage: build.sh PRESET [TARGET]
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:?usage: build.sh PRESET [TARGET]}
log=build/$preset.log
mkdir -p build
if [ ! -f "build/$preset/build.ninja" ]; then
    cmake --preset "$preset" -DTHRONG_WERROR="${THRONG_WERROR:-OFF}" > "$log" 2>&1 ||
        { cat "$log"; exit 1; }
fi
# Ninja fills one line of a terminal; elsewhere only what went wrong is of interest.
if [ -t 1 ]; then
    cmake --build "build/$preset" --parallel "${BUILD_JOBS:-$(nproc)}" ${2:+--target "$2"}
else
    cmake --build "build/$preset" --parallel "${BUILD_JOBS:-$(nproc)}" ${2:+--target "$2"} \
        > "$log" 2>&1 || { grep -v '^\[[0-9]*/[0-9]*\] ' "$log"; exit 1; }
fi
