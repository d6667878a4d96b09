#!/usr/bin/env bash
# One scene, many ways to run it, one hash: thread counts, kernels, compilers, build types, and a
# snapshot that a new process goes on from.
#
# usage: hash_matrix.sh [SCENE]    needs build/release/throng; takes build/dev and build/clang too
set -euo pipefail
cd "$(dirname "$0")/.."
scene=${1:-scenes/city.json}
steps=${STEPS:-120}
every=$((steps / 4))
half=$((steps / 2))
release=build/release/throng
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
ways=0

hashes() { # PROGRAM ARGUMENTS...: the lines `step N hash H`
    local program=$1
    shift
    "$program" hash "$scene" --every "$every" "$@" 2> "$scratch/errors" > "$scratch/out" || {
        cat "$scratch/errors" >&2
        return 1
    }
    grep -E '^step [0-9]+ hash [0-9a-f]{16}$' "$scratch/out"
}

compare() { # NAME FILE [FIRST STEP]: the lines of FILE are those of the reference
    ways=$((ways + 1))
    local wanted="$scratch/wanted"
    awk -v first="${3:--1}" '$2 > first' "$scratch/reference" > "$wanted"
    if [ -s "$wanted" ] && cmp -s "$wanted" "$2"; then
        printf '  %-32s equal\n' "$1"
    else
        printf '  %-32s DIFFERENT\n' "$1"
        diff "$wanted" "$2" | head -6 || true
        failures=$((failures + 1))
    fi
}

try() { # NAME PROGRAM ARGUMENTS...
    local name=$1
    shift
    hashes "$@" --steps "$steps" > "$scratch/got" || true
    compare "$name" "$scratch/got"
}

hashes "$release" --steps "$steps" --threads 1 > "$scratch/reference" ||
    { echo "hash_matrix: $release does not hash $scene"; exit 1; }
echo "$scene, release build, one thread:"
sed 's/^/  /' "$scratch/reference"

for threads in 2 3 4 8; do
    try "$threads threads" "$release" --threads "$threads"
done

kernels=(scalar portable)
has() { grep -qw "$1" /proc/cpuinfo 2> /dev/null; }
if has avx2; then kernels+=(avx2); else echo "skipped: no AVX2 here"; fi
if has avx512f && has avx512vl && has avx512bw && has avx512dq; then
    kernels+=(avx512)
else
    echo "skipped: no AVX-512 here"
fi
for name in "${kernels[@]}"; do
    try "kernels $name" "$release" --threads 2 --kernels "$name"
done

for build in dev clang; do
    if [ -x "build/$build/throng" ]; then
        try "build $build" "build/$build/throng" --threads 2
    else
        echo "skipped: build/$build/throng is not built"
    fi
done

hashes "$release" --steps "$half" --threads 2 --save "$scratch/snapshot" > "$scratch/got" || true
if [ -s "$scratch/snapshot" ]; then
    # Whether steps are counted from the snapshot or from the start, the common ones must agree.
    hashes "$release" --steps "$steps" --threads 3 --restore "$scratch/snapshot" |
        awk -v half="$half" -v last="$steps" '$2 > half && $2 <= last' > "$scratch/got" || true
    compare "snapshot in a new process" "$scratch/got" "$half"
else
    echo "  no snapshot was saved"
    failures=$((failures + 1))
fi

# Every other scene with a crowd, a few steps of it, by the other compiler; kernels and threads are
# tests/test_scene_hashes.c's.
if [ -x build/clang/throng ]; then
    scenes=0
    while read -r other; do
        for program in "$release" build/clang/throng; do
            "$program" hash "$other" --steps 6 --every 6 --threads 2 2> /dev/null |
                grep -E '^step [0-9]+ hash' > "$scratch/$(basename "$(dirname "$program")")" || true
        done
        scenes=$((scenes + 1))
        if ! [ -s "$scratch/release" ] || ! cmp -s "$scratch/release" "$scratch/clang"; then
            echo "  clang DIFFERENT on $other"
            failures=$((failures + 1))
        fi
    done < <(grep -rL '"walkers"' scenes --include='*.json' | sort)
    ways=$((ways + 1))
    printf '  %-32s compared\n' "$scenes scenes, build clang"
fi

if [ "$failures" -ne 0 ]; then
    echo "hashes: $failures of $ways ways differ"
    exit 1
fi
echo "hashes: $ways ways to run $scene, one hash"
