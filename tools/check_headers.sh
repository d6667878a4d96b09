#!/usr/bin/env bash
# Every public header compiles alone, as C17 and as C++17, without a warning.
set -euo pipefail
cd "$(dirname "$0")/.."
status=0
count=0
for header in include/throng/*.h include/throng_io/*.h include/throng_gpu/*.h; do
    [ -f "$header" ] || continue
    name=${header#include/}
    for language in c:c17:"${CC:-gcc}" c++:c++17:"${CXX:-g++}"; do
        IFS=: read -r kind standard compiler <<< "$language"
        if ! printf '#include <%s>\n' "$name" | $compiler -x "$kind" -std="$standard" \
            -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only -; then
            echo "$header: does not compile alone as $standard"
            status=1
        fi
        count=$((count + 1))
    done
done
[ "$count" -gt 0 ] || { echo "check_headers: no headers found"; exit 1; }
[ "$status" -eq 0 ] && echo "headers: $count compilations, each header alone as C17 and C++17"
exit "$status"
