#!/usr/bin/env bash
# Installs the Debian or Ubuntu packages that are missing: silent and at once when none is.
#
# usage: setup.sh [PACKAGE...]    these too: what benchmarks compare with needs librecast-dev
set -euo pipefail

packages=(build-essential cmake ninja-build pkg-config clang clang-format libcmocka-dev
    libjansson-dev libyaml-dev libpng-dev zlib1g-dev libsqlite3-dev ffmpeg binutils python3
    libvulkan-dev libvulkan-volk-dev glslc mesa-vulkan-drivers vulkan-validationlayers
    libsdl2-dev libimgui-dev xvfb xdotool "$@")

installed() { # names of those of "$@" that are installed
    dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' "$@" 2> /dev/null | sed -n 's/^ii *//p' || true
}

if ! command -v dpkg-query > /dev/null || ! command -v apt-get > /dev/null; then
    missing=()
    for tool in cc cmake ninja pkg-config clang clang-format ffmpeg objdump python3; do
        command -v "$tool" > /dev/null || missing+=("$tool")
    done
    pkg-config --exists cmocka jansson yaml-0.1 libpng zlib sqlite3 2> /dev/null || missing+=(libraries)
    [ "${#missing[@]}" -eq 0 ] && exit 0
    echo "throng: this is neither Debian nor Ubuntu; please install what these packages hold:" >&2
    echo "    ${packages[*]} libclang-rt-dev" >&2
    echo "(missing here: ${missing[*]})" >&2
    exit 1
fi

# One question for all of them. clang's sanitizers come as libclang-rt-VERSION-dev where that
# package exists (Debian 12, Ubuntu 23.04 and later) and within clang itself before.
have=$(installed "${packages[@]}" 'libclang-rt-*-dev' pkgconf)
missing=()
for package in "${packages[@]}"; do
    if [ "$package" = pkg-config ] && grep -qx pkgconf <<< "$have"; then
        continue # the same program under its newer name
    fi
    grep -qx -- "$package" <<< "$have" || missing+=("$package")
done
needs_runtime=true
grep -q '^libclang-rt-.*-dev$' <<< "$have" && needs_runtime=false
if [ "${#missing[@]}" -eq 0 ] && ! $needs_runtime; then
    exit 0
fi

run_as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo > /dev/null; then
        sudo "$@"
    else
        echo "throng: not root and no sudo; as root run: $*" >&2
        exit 1
    fi
}

# The runtime's package carries the version of the distribution's clang.
runtime_package() {
    local version
    version=$(apt-cache depends clang 2> /dev/null |
        sed -n 's/^ *Depends: clang-\([0-9][0-9]*\)$/\1/p' | head -1)
    [ -n "$version" ] && apt-cache show "libclang-rt-$version-dev" > /dev/null 2>&1 &&
        echo "libclang-rt-$version-dev"
    return 0
}

updated=false
if [ "${#missing[@]}" -gt 0 ]; then
    echo "throng: installing ${missing[*]}" >&2
    run_as_root apt-get update -qq
    updated=true
    run_as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
        --no-install-recommends "${missing[@]}" > /dev/null
fi
if $needs_runtime; then
    runtime=$(runtime_package)
    if [ -n "$runtime" ]; then
        echo "throng: installing $runtime" >&2
        $updated || run_as_root apt-get update -qq
        run_as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
            --no-install-recommends "$runtime" > /dev/null
    fi
fi
