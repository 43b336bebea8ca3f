"""Every distinct instruction of programs through `differential words`.

usage: words.py DIFFERENTIAL OBJDUMP PROGRAM...

A program named "thumb:FILE" is disassembled as T32 from end to end: stripped libraries do not say
which parts are code and of which instruction set. What is not code is decoded all the same.
"""

import re
import subprocess
import sys

LINE = re.compile(r"\s*[0-9a-f]+:\t([0-9a-f]{4}(?: [0-9a-f]{4}|[0-9a-f]{4})?)\s")


def encodings(objdump, program):
    """The instructions that objdump sees, as lines of `differential words`."""
    thumb = program.startswith("thumb:")
    options = ["-Mforce-thumb"] if thumb else []
    text = subprocess.run([objdump, "-d", "-z", *options, program.removeprefix("thumb:")],
                          check=True, capture_output=True, text=True).stdout
    for line in text.splitlines():
        match = LINE.match(line)
        if match is None or "\t.word\t" in line or "\t.short\t" in line:
            continue
        encoding = match.group(1)
        long = len(encoding) == 9
        if len(encoding) == 8:
            yield f"A32 {encoding}"
        elif long or int(encoding, 16) < 0xe800:
            yield f"T32 {encoding.replace(' ', '')}"


def main():
    differential, objdump, *programs = sys.argv[1:]
    lines = set()
    for program in programs:
        found = set(encodings(objdump, program))
        if not found:
            sys.exit(f"{program}: objdump finds no instructions in it")
        lines |= found
    print(f"{len(lines)} distinct instructions of {len(programs)} programs")
    return subprocess.run([differential, "words"], input="\n".join(sorted(lines)) + "\n",
                          text=True).returncode


if __name__ == "__main__":
    sys.exit(main())
