#!/usr/bin/env bash
# Installs into an empty prefix and builds a small program against it in three ways: find_package
# with the static and the shared library, and pkg-config.
#
# usage: check_install.sh BUILD_DIRECTORY SOURCE_DIRECTORY [CMAKE] [COMPILER]
set -euo pipefail
build=$(cd "$1" && pwd)
source_directory=$2
cmake=${3:-cmake}
compiler=${4:-cc}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix

"$cmake" --install "$build" --prefix "$prefix" > "$scratch/install.log"
consumer=$source_directory/tests/consumer

"$cmake" -S "$consumer" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_C_COMPILER="$compiler" > "$scratch/configure.log" 2>&1 ||
    { cat "$scratch/configure.log"; exit 1; }
"$cmake" --build "$scratch/build" > "$scratch/build.log" 2>&1 || { cat "$scratch/build.log"; exit 1; }

pc=$(find "$prefix" -name throng.pc)
export PKG_CONFIG_PATH=${pc%/*}
version=$(pkg-config --modversion throng)
# shellcheck disable=SC2046
$compiler -std=c17 "$consumer/consumer.c" -o "$scratch/by_pkg_config" \
    $(pkg-config --cflags --libs throng) -Wl,-rpath,"$(pkg-config --variable=libdir throng)"

for program in "$scratch"/build/consumer_static "$scratch"/build/consumer_shared \
    "$scratch"/by_pkg_config; do
    answer=$("$program")
    if [ "$answer" != "throng $version" ]; then
        echo "check_install: ${program##*/} says '$answer', expected 'throng $version'"
        exit 1
    fi
done

# Only the public names may be seen from outside.
library=$(find "$prefix" -name 'libthrong.so')
hidden=$(nm -D --defined-only "$library" | awk '{print $3}' | grep -v '^throng_' || true)
if [ -n "$hidden" ]; then
    echo "check_install: libthrong.so shows names that are not public:"
    echo "$hidden" | head
    exit 1
fi
echo "install: find_package (static, shared) and pkg-config work; only throng_ names are visible"
