#!/usr/bin/env python3
"""Fails when a file includes upward.

Layers of the library: core < jobs < map < field < rooms < crowd < replay. A file there includes its
own layer or a lower one, and the public headers of those. Programs and libthrong_io come in by the
front door: <throng/...>, <throng_io/...>, <throng_gpu/...> and headers of their own folder. Tests may
include anything.

usage: check_layers.py [ROOT] | --self-test
"""
import os
import re
import sys
import tempfile

LAYERS = ["core", "jobs", "map", "field", "rooms", "crowd", "replay"]
# The layer that a public header belongs to.
DOORS = {"base": "core", "jobs": "jobs", "map": "map", "query": "map", "planet": "map", "path": "field", "route": "field",
         "field": "field", "rooms": "rooms",
         "crowd": "crowd", "replay": "replay", "throng": "replay"}
OUTSIDE = ["io", "cli", "samples", "view", "gpu", "web", "bindings"]
FREE = ["benchmarks", "tests"]
# The headers that cross between program folders: the command line lists the benchmarks, and opens
# the viewer.
EXCEPTIONS = {("cli", "benchmarks/bench.h"), ("cli", "bench.h"), ("cli", "view/view.h")}
GENERATED = re.compile(r"shader_\w+\.\w+\.inc")  # the build makes these of gpu/shaders
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SOURCES = (".c", ".h", ".inc")


def layer_of_include(folder, layer, kind, name):
    """Layer an include reaches for, None when it is none of the library's, or an error text."""
    match = re.fullmatch(r"throng/(\w+)\.h", name)
    if match:
        return DOORS.get(match.group(1)), None
    if name.startswith("throng_io/"):
        return None, "the library includes libthrong_io"
    if kind == "<":
        return None, None
    first = name.split("/")[0]
    if "/" in name and first in LAYERS:
        return first, None
    if "/" not in name:
        return layer, None
    return None, f'"{name}" is of no layer'


def check_library(layer, kind, name):
    reached, problem = layer_of_include("src", layer, kind, name)
    if problem:
        return problem
    if reached is not None and LAYERS.index(reached) > LAYERS.index(layer):
        return f"{layer} includes {name} of {reached}, a higher layer"
    return None


def check_outside(root, folder, kind, name):
    if re.fullmatch(r"throng(_io|_gpu)?/[\w/]+\.(h|inc)", name):
        if folder == "gpu" and name.startswith("throng_io/"):
            return "gpu stands beside io, not above it"
        return None
    if (folder, name) in EXCEPTIONS or (folder == "gpu" and GENERATED.fullmatch(name)):
        return None
    inside = name[len(folder) + 1:] if name.startswith(folder + "/") else name
    if kind == '"':
        if os.path.exists(os.path.join(root, folder, inside)) and ".." not in name:
            return None
        return f'{folder} includes "{name}", which is not its own and not a public header'
    if os.path.exists(os.path.join(root, "src", name)):
        return f"{folder} includes <{name}> from inside the library"
    return None


def check_public(folder, header, kind, name):
    """Public headers: only their own or lower doors, and only with angle brackets."""
    if kind == '"':
        return "public headers are included with angle brackets"
    if name.startswith("throng_io/") and folder == "throng":
        return "the library includes libthrong_io"
    match = re.fullmatch(r"throng/(\w+)\.h", name)
    if folder == "throng" and match and match.group(1) in DOORS and header in DOORS:
        if LAYERS.index(DOORS[match.group(1)]) > LAYERS.index(DOORS[header]):
            return f"{header}.h includes {name}, a higher layer"
    return None


def check_include(root, parts, kind, name):
    if parts[0] == "src":
        if len(parts) < 3 or parts[1] not in LAYERS:
            return f"{'/'.join(parts)} is in no layer"
        return check_library(parts[1], kind, name)
    if parts[0] == "include":
        return check_public(parts[1], parts[-1].removesuffix(".h"), kind, name)
    if parts[0] in OUTSIDE:
        return check_outside(root, parts[0], kind, name)
    return None


def sources(root):
    for top in ["src", "include"] + OUTSIDE + FREE:
        for folder, folders, files in os.walk(os.path.join(root, top)):
            folders.sort()
            for file in sorted(files):
                if file.endswith(SOURCES):
                    yield os.path.relpath(os.path.join(folder, file), root)


def check(root):
    """Lines `file:line: what is wrong`, and how many includes were looked at."""
    problems, count = [], 0
    for path in sources(root):
        with open(os.path.join(root, path), encoding="utf-8") as text:
            for number, line in enumerate(text, 1):
                match = INCLUDE.match(line)
                if match:
                    count += 1
                    problem = check_include(root, path.split(os.sep), *match.groups())
                    if problem:
                        problems.append(f"{path}:{number}: {problem}")
    return problems, count


SELF_TEST = [  # file, its one include, whether that is a violation
    ("src/core/a.c", '"core/core.h"', False),
    ("src/core/b.c", '"jobs/jobs.h"', True),
    ("src/core/c.c", "<throng/crowd.h>", True),
    ("src/map/a.c", '"jobs/jobs.h"', False),
    ("src/map/b.c", '"field/field.h"', True),
    ("src/field/a.c", '"map/map.h"', False),
    ("src/crowd/a.c", '"columns.inc"', False),
    ("src/crowd/b.c", '"replay/replay.h"', True),
    ("src/crowd/c.c", "<throng_io/scene.h>", True),
    ("src/crowd/d.c", '"../io/scene.h"', True),
    ("src/replay/a.c", '"crowd/crowd.h"', False),
    ("src/rooms/a.c", "<throng/crowd.h>", True),
    ("src/lost.c", "<stdio.h>", True),
    ("include/throng/map.h", "<throng/field.h>", True),
    ("include/throng/field.h", "<throng/map.h>", False),
    ("io/a.c", '"file.h"', False),
    ("io/file.h", "<throng_io/scene.h>", False),
    ("io/b.c", '"core/core.h"', True),
    ("io/c.c", "<core/core.h>", True),
    ("cli/a.c", '"io/file.h"', True),
    ("cli/b.c", "<throng/map.h>", False),
    ("cli/c.c", '"benchmarks/bench.h"', False),
    ("cli/d.c", '"../src/map/map.h"', True),
    ("gpu/a.c", '"shader_body.vert.inc"', False),
    ("gpu/b.c", "<throng_io/scene.h>", True),
    ("view/a.c", "<throng_gpu/drawing.h>", False),
    ("view/b.c", '"gpu/gpu.h"', True),
    ("samples/a.c", '"map/map.h"', True),
    ("tests/test_a.c", '"map/map.h"', False),
    ("src/core/core.h", "<stdint.h>", False),
]


def self_test():
    with tempfile.TemporaryDirectory() as root:
        for path, include, _ in SELF_TEST:
            full = os.path.join(root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as file:
                file.write(f"// a file\n#include {include}\n")
        problems, _ = check(root)
        found = {line.split(":")[0] for line in problems}
        lines = {line.split(":")[1] for line in problems}
        wanted = {path for path, _, wrong in SELF_TEST if wrong}
        for path in sorted(found ^ wanted):
            print(f"self-test: {path}: {'missed' if path in wanted else 'wrongly reported'}")
        if found == wanted and lines == {"2"}:
            print(f"layers: self-test found all {len(wanted)} planted violations, and only them")
            return 0
        return 1


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(
        os.path.abspath(__file__)))
    problems, count = check(root)
    for problem in problems:
        print(problem)
    if not problems and count == 0:
        print(f"{root}: no includes found: is this the source folder?")
        return 1
    print(f"layers: {count} includes, {len(problems)} wrong")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
