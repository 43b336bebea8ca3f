"""Lists the tests that are C programs of this project, which need no guest program and no emulator. What replays the
corpora of fuzz/ is not among them: the fuzz targets begin with those, under the same sanitizers.

usage: c_tests.py BUILD names|targets

names: one a line, as meson test takes them. targets: the programs, as ninja takes them.
"""

import json
import sys
from pathlib import Path

# Theirs run the whole command on programs for Arm, or what scripts/fuzz runs.
NOT_UNITS = {"directed", "firmware", "guest", "fuzz"}


def programs(tests, build):
    """Name -> the program below the build folder."""
    found = {}
    for test in tests:
        suites = {suite.split(":")[-1] for suite in test["suite"]}
        program = Path(build, test["cmd"][0]).resolve()
        if not suites & NOT_UNITS and program.is_relative_to(Path(build).resolve()):
            found[test["name"]] = str(program.relative_to(Path(build).resolve()))
    return found


def main(build, what):
    tests = json.loads(Path(build, "meson-info", "intro-tests.json").read_text(encoding="utf-8"))
    found = programs(tests, build)
    lines = found if what == "names" else sorted(set(found.values()))
    print(*lines, sep="\n")
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
