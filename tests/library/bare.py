"""The device library on a bare Arm processor, as far as QEMU can be one: see bare.c.

usage: bare.py QEMU INCLUDE COMPILER [FLAG]... -- SOURCE...

Compiles and links all sources with nothing else, not even the compiler's own library, runs the
program and fails unless it exits with 0.
"""

import subprocess
import sys
import tempfile

import objects


def main(arguments):
    dashes = arguments.index("--")
    qemu, include, *compiler = arguments[:dashes]
    with tempfile.TemporaryDirectory() as folder:
        made = objects.compile_all(compiler, include, arguments[dashes + 1:], folder)
        program = f"{folder}/bare"
        subprocess.run([*compiler, "-nostdlib", "-static", "-o", program, *made], check=True)
        return subprocess.run([qemu, program], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
