"""Puts a text into a C header, as an array of bytes.

usage: embed_text.py OUTPUT NAME TEXT
"""

import sys
from pathlib import Path

from embed import array


def main(output, name, text):
    Path(output).write_text(array(name, Path(text).read_bytes()), encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
