#!/usr/bin/env bash
# Everything that must hold, stage by stage: one line for each with its time; the first that fails
# shows its output and ends the run. Within 40 minutes on two cores.
#
# usage: test.sh [STAGE...]    with names as printed by `test.sh --list`; none: all, in order
set -uo pipefail
cd "$(dirname "$0")/.."
export THRONG_WERROR=ON BUILD_JOBS=${BUILD_JOBS:-$(nproc)}
# Memory errors end a test; leaks are looked for where the system lets a tracer in.
export ASAN_OPTIONS=detect_leaks=1:abort_on_error=0 UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=halt_on_error=1
logs=build/logs
mkdir -p "$logs"

run_ctest() { # PRESET [more arguments of ctest]
    local preset=$1
    shift
    ctest --test-dir "build/$preset" -j "$BUILD_JOBS" --output-on-failure --no-tests=error "$@"
}

stage_layers() { tools/check_layers.py --self-test && tools/check_layers.py; }
stage_format() { tools/check_format.sh; }
stage_headers() { tools/check_headers.sh; }
stage_release() { tools/build.sh release && run_ctest release; }
stage_fma() { tools/check_fma.sh build/release gcc; }
stage_dev() { tools/build.sh dev && run_ctest dev -L quick; }
stage_asan() { tools/build.sh asan && run_ctest asan; }

# A thread sanitizer and a kernel that spreads addresses widely do not get along; where that is so,
# the tests run without the spreading.
stage_tsan() {
    tools/build.sh tsan threaded_tests || return 1
    local prefix=()
    if ! build/tsan/tests/test_jobs > "$logs/tsan_probe.log" 2>&1 &&
        grep -q 'unexpected memory mapping' "$logs/tsan_probe.log"; then
        prefix=(setarch "$(uname -m)" -R)
    fi
    "${prefix[@]}" ctest --test-dir build/tsan -j "$BUILD_JOBS" --output-on-failure \
        --no-tests=error -L threads
}

stage_clang() { tools/build.sh clang && run_ctest clang -L quick && tools/check_fma.sh build/clang clang; }
stage_hashes() { tools/hash_matrix.sh; }

stages=(layers format headers release fma dev clang hashes asan tsan)
if [ "${1:-}" = --list ]; then
    printf '%s\n' "${stages[@]}"
    exit
fi
[ $# -gt 0 ] && stages=("$@")

started=$SECONDS
passed=0
done_logs=()
for stage in "${stages[@]}"; do
    if ! declare -F "stage_$stage" > /dev/null; then
        echo "test.sh: no stage '$stage'; try --list" >&2
        exit 2
    fi
    from=$SECONDS
    if ! "stage_$stage" > "$logs/$stage.log" 2>&1; then
        cat "$logs/$stage.log"
        printf '%-8s FAILED after %d s (%s)\n' "$stage" $((SECONDS - from)) "$logs/$stage.log"
        printf 'stages: %d passed, 1 failed\n' "$passed"
        exit 1
    fi
    passed=$((passed + 1))
    done_logs+=("$logs/$stage.log")
    # What the stage says of itself: the counts of ctest, or the last line of a check.
    summary=$(grep -E '^[0-9]+% tests passed' "$logs/$stage.log" | tail -1)
    printf '%-8s ok %4d s  %s\n' "$stage" $((SECONDS - from)) \
        "${summary:-$(tail -1 "$logs/$stage.log")}"
done
# What was not checked, and why, is never silent.
grep -hE 'skipped:|not checked:|known failure' "${done_logs[@]}" | sort -u | head -40
printf 'all in %d s\n' $((SECONDS - started))
printf 'stages: %d passed, 0 failed\n' "$passed"
