"""Puts the page of src/export/html/ into a C header: its style and script in their place, in two halves between
which a report's data goes.

The script is that of all files in their order, in a function of their own.

usage: embed.py OUTPUT PAGE.html STYLE.css SCRIPT.js...
"""

import sys
from pathlib import Path

WIDTH = 20


def array(name, data):
    rows = [",".join(str(byte) for byte in data[i:i + WIDTH]) for i in range(0, len(data), WIDTH)]
    return f"static const unsigned char {name}[] = {{\n" + ",\n".join(rows) + "};\n"


def main(output, page, style, *scripts):
    page, style, *scripts = (Path(name).read_text(encoding="utf-8") for name in (page, style, *scripts))
    script = '(function () {\n"use strict";\n\n' + "\n".join(scripts) + "})();\n"
    if "</script" in script or "</style" in style:
        sys.exit("embed.py: the script or the style would end its own element")
    page = page.replace("@STYLE@", style).replace("@SCRIPT@", script)
    before, after = page.split("@DATA@")
    Path(output).write_text(array("html_before_data", before.encode()) + array("html_after_data", after.encode()),
                            encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
