"""Makes a static library of one object in which only the interface is global.

usage: public_archive.py AR OBJCOPY IN.a OUT.a COMPILER [FLAG]...

The objects of IN.a are linked into one, and what is of hidden visibility becomes local: names that
its files share with each other, such as cache_init, cannot meet those of a program.
"""

import subprocess
import sys
import tempfile
from pathlib import Path


def main(ar, objcopy, whole, public, *compiler):
    with tempfile.TemporaryDirectory() as folder:
        one = f"{folder}/{Path(public).stem}.o"
        subprocess.run([*compiler, "-r", "-nostdlib", "-o", one,
                        "-Wl,--whole-archive", whole, "-Wl,--no-whole-archive"], check=True)
        subprocess.run([objcopy, "--localize-hidden", one], check=True)
        Path(public).unlink(missing_ok=True)
        subprocess.run([ar, "rcs", public, one], check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
