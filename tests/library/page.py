"""The C blocks of a Markdown page, one behind the other, are a program that does what it says.

usage: page.py PAGE INCLUDE LIBRARY... -- COMPILER [FLAG]...

Compiles them as C11 without warnings, links the libraries and runs the program; fails unless it exits with 0.
Messages of the compiler name the page and its lines.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"^```c\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STRICT = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]


def program_of(page, text):
    return "".join(f'#line {text.count(chr(10), 0, block.start(1)) + 1} "{page}"\n{block.group(1)}'
                   for block in BLOCK.finditer(text))


def main(page, include, *rest):
    libraries, compiler = rest[:rest.index("--")], rest[rest.index("--") + 1:]
    source = program_of(page, Path(page).read_text(encoding="utf-8"))
    if not source:
        print(f"{page}: no C block")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/page"
        subprocess.run([*compiler, *STRICT, f"-I{include}", "-x", "c", "-", "-x", "none",
                        *libraries, "-o", program], input=source, text=True, check=True)
        return subprocess.run([program], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
