"""The layout of the C sources is what .clang-format says.

usage: layout.py SOURCE_ROOT CLANG_FORMAT

Prints the first difference of each file; fails when there is one. Versions of clang-format differ in
small things: sources follow version 14, the test is skipped (77) with any other.
"""

import re
import subprocess
import sys
from pathlib import Path

VERSION = "14"
TOPS = ("include", "src", "tests", "bench", "examples")


def version_of(clang_format):
    said = subprocess.run([clang_format, "--version"], text=True, check=True,
                          stdout=subprocess.PIPE).stdout
    return re.search(r"version (\d+)", said).group(1)


def main(root, clang_format):
    version = version_of(clang_format)
    if version != VERSION:
        print(f"clang-format {version}: the sources follow version {VERSION}")
        return 77
    files = sorted(file for top in TOPS for file in (root / top).rglob("*.[ch]"))
    result = subprocess.run([clang_format, "--dry-run", "--ferror-limit=1", "-Werror", *files],
                            text=True, stderr=subprocess.PIPE, check=False)
    print(result.stderr + f"{len(files)} files; 'make format' mends the layout")
    return 1 if result.returncode or not files else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
