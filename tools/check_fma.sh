#!/usr/bin/env bash
# Fails when the built library holds a fused multiply-add: it rounds once where the source says
# twice, so the state hash would depend on the compiler. A flag is no proof; the machine code is.
#
# usage: check_fma.sh BUILD_DIRECTORY [COMPILER]
set -euo pipefail
build=${1:?usage: check_fma.sh BUILD_DIRECTORY [COMPILER]}
compiler=${2:-cc}
library=$build/lib/libthrong.a

# x86: vfmadd213ps, vfnmsub..., arm64: fmadd, fmla ...
fused='[[:space:]](vfn?m(add|sub|addsub|subadd)[0-9]+[ps][dsh]|fn?m(add|sub)|fml[as][lb2t]*|vfm[as])[[:space:]]'

count_fused() {
    objdump -d --no-show-raw-insn "$1" | grep -Ec "$fused" || true
}

[ -f "$library" ] || { echo "check_fma: $library: not built"; exit 1; }

# First that it can fail: a file that asks for fusing must be found out.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat > "$scratch/fused.c" <<'C'
float fused(float a, float b, float c);
float fused(float a, float b, float c) { return a * b + c; }
C
machine=$($compiler -dumpmachine)
case $machine in
    x86_64*) flags=-mfma ;;
    *) flags= ;;
esac
$compiler -O2 $flags -ffp-contract=fast -c "$scratch/fused.c" -o "$scratch/fused.o"
if [ "$(count_fused "$scratch/fused.o")" -eq 0 ]; then
    echo "check_fma: a planted fused multiply-add was not found on $machine"
    exit 1
fi

found=$(count_fused "$library")
instructions=$(objdump -d --no-show-raw-insn "$library" | grep -Ec '^ +[0-9a-f]+:' || true)
if [ "$instructions" -lt 100 ]; then
    echo "check_fma: $library: only $instructions instructions; nothing was checked"
    exit 1
fi
if [ "$found" -ne 0 ]; then
    echo "check_fma: $library: $found fused multiply-adds, the first of them:"
    objdump -d --no-show-raw-insn "$library" | grep -E "^[^ ].*(:|format)|$fused" |
        grep -E -B1 "$fused" | head -12
    exit 1
fi
echo "fma: none in $instructions instructions (a planted one was found)"
