#!/usr/bin/env bash
# clang-format decides the layout. `check_format.sh --fix` applies it.
set -euo pipefail
cd "$(dirname "$0")/.."
formatter=${CLANG_FORMAT:-clang-format}
mapfile -d '' files < <(find src include io cli benchmarks samples tests view gpu bindings \
    \( -name '*.c' -o -name '*.h' \) -print0 2> /dev/null | sort -z)
[ "${#files[@]}" -gt 0 ] || { echo "check_format: no sources found"; exit 1; }
if [ "${1:-}" = --fix ]; then
    "$formatter" -i "${files[@]}"
    exit
fi
# Versions of clang-format differ in small things; the layout is kept with the one of Debian 12.
version=$("$formatter" --version | grep -Eo '[0-9]+' | head -1)
if [ "$version" -ne 14 ]; then
    echo "format: not checked: clang-format $version differs from 14, which decides"
    exit 0
fi
"$formatter" --dry-run --Werror "${files[@]}"
echo "format: ${#files[@]} files as clang-format wants them"
