"""Every header compiles alone, and twice in a row.

usage: headers.py FOLDER COMPILER [FLAG]...

Compiles each *.h under FOLDER by itself. Prints what the compiler says; fails at a header that does not
stand alone, and when the folder has none.
"""

import subprocess
import sys
from pathlib import Path


def compiles(header, compiler):
    source = f'#include "{header}"\n' * 2
    result = subprocess.run(compiler + ["-fsyntax-only", "-"], input=source, text=True,
                            stderr=subprocess.STDOUT, stdout=subprocess.PIPE, check=False)
    if result.returncode:
        print(f"{header} does not stand alone:\n{result.stdout}")
    return result.returncode == 0


def main(folder, compiler):
    headers = sorted(Path(folder).rglob("*.h"))
    failed = [header for header in headers if not compiles(header, compiler)]
    print(f"{len(headers)} headers under {folder}, {len(failed)} do not stand alone")
    return 0 if headers and not failed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
