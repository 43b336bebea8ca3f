"""The library takes the locks of pages that armpmu exports, not its own: as the dynamic linker tells.

usage: library_locks.py ARMPMU FIRMWARE
"""

import os
import re
import subprocess
import sys

ARMPMU, FIRMWARE = sys.argv[1:]
WANTED = {f"page_collection_{what}_{processor}" for what in ("lock", "unlock") for processor in ("arm", "aarch64")}

told = subprocess.run([ARMPMU, "run", FIRMWARE], env=os.environ | {"LD_DEBUG": "bindings"}, stdin=subprocess.DEVNULL,
                      capture_output=True, text=True, check=False).stderr
bound = re.findall(r"binding file (\S+) \[\d+\] to (\S+) \[\d+\]: normal symbol `(page_collection_\w+)'", told)
found = {symbol for library, to, symbol in bound if "libunicorn" in library and "libunicorn" not in to}
if not WANTED <= found:
    sys.exit(f"not taken from {ARMPMU}: {', '.join(sorted(WANTED - found))}")
