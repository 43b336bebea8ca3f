"""Puts machine files into a C header: an array of bytes each, and a table of their names.

usage: embed_machines.py OUTPUT FILE...
"""

import sys
from pathlib import Path

from embed import array


def main(output, *files):
    texts, rows = [], []
    for file in sorted(map(Path, files), key=lambda path: path.stem):
        name = file.stem.replace("-", "_")
        texts.append(array(f"machine_{name}", file.read_bytes()))
        rows.append(f'    {{"{file.stem}", machine_{name}, sizeof machine_{name}}},\n')
    table = "static const struct built_in_machine built_in_machines[] = {\n" + "".join(rows) + "};\n"
    Path(output).write_text("".join(texts) + table, encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
