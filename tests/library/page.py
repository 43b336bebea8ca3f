"""The C blocks of a Markdown page, in their order, are programs that do what the page says: a block with main() ends one.

usage: page.py PAGE INCLUDE LIBRARY... -- COMPILER [FLAG]...

Compiles each as C11 without warnings, links the libraries and runs the program; fails unless all exit with 0.
Messages of the compiler name the page and its lines.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"^```c\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STRICT = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]


def programs_of(page, text):
    """The program that each block with main() ends, and what follows the last one, which does not link."""
    program = ""
    for block in BLOCK.finditer(text):
        program += f'#line {text.count(chr(10), 0, block.start(1)) + 1} "{page}"\n{block.group(1)}'
        if re.search(r"^int main\(", block.group(1), re.MULTILINE):
            yield program
            program = ""
    if program:
        yield program


def main(page, include, *rest):
    libraries, compiler = rest[:rest.index("--")], rest[rest.index("--") + 1:]
    sources = list(programs_of(page, Path(page).read_text(encoding="utf-8")))
    if not sources:
        print(f"{page}: no C block")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        for number, source in enumerate(sources):
            program = f"{folder}/page{number}"
            subprocess.run([*compiler, *STRICT, f"-I{include}", "-x", "c", "-", "-x", "none",
                            *libraries, "-o", program], input=source, text=True, check=True)
            status = subprocess.run([program], check=False).returncode
            if status != 0:
                print(f"{page}: program {number + 1} exited with {status}")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
