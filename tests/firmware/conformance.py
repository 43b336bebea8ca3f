"""The conformance programs of tests/guest pass as firmware, too.

usage: conformance.py ARMPMU MACHINE ELF
"""

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "guest"))
import conformance  # noqa: E402  pylint: disable=wrong-import-position

SECONDS = 90
DEVICES = "0x10140000"  # where the XScale's program has its interrupt controller


def main():
    armpmu, machine, elf = sys.argv[1:]
    done = subprocess.run([armpmu, "run", "--machine", machine, "--timeout", str(SECONDS),
                           "--devices", DEVICES, elf],
                          text=True, check=False, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    lines = done.stdout.splitlines()
    complaints, wrong = conformance.judge(done.returncode, lines)
    print("\n".join(line for line in lines if not line.startswith("ok ")))
    print("\n".join(complaints))
    return 1 if complaints or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
