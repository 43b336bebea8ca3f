"""An emulated machine under 'armpmu guest' and firmware under Unicorn count alike: the same program, which counts every
event of its core around pieces of code, prints the same, modelled events included. Its pages lie at their own
addresses, so that both engines see one stream of addresses.

usage: engines.py ARMPMU PLUGIN TARGET MACHINE CORE ELF    TARGET: of tests/guest/conformance.py
"""

import json
import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "guest"))
import boot  # noqa: E402  pylint: disable=wrong-import-position
import conformance  # noqa: E402  pylint: disable=wrong-import-position

ARMPMU, PLUGIN, TARGET, MACHINE, CORE, ELF = sys.argv[1:]
del sys.argv[1:]
DEVICES = "0x10140000"
LINE = re.compile(r"(.+): ([0-9a-f]{2}) ([0-9a-f]{8})$")
NEVER = {"COUNTER_OFF"}  # counts nothing, by what it is
PIECES_LEAST = 15


def counts(lines):
    """(piece, event number) to count."""
    found = [LINE.match(line) for line in lines]
    return {(match[1], int(match[2], 16)): int(match[3], 16) for match in found if match}


def exact_events():
    done = subprocess.run([ARMPMU, "list", "event", "--core", CORE, "-j"], check=True, text=True,
                          capture_output=True)
    return {row["EventName"]: int(row["EventCode"], 16) for row in map(json.loads, done.stdout.splitlines())
            if row["Fidelity"] == "exact" and row["EventName"] not in NEVER}


class Engines(unittest.TestCase):
    def test_equal(self):
        # QEMU may have to be fetched first, which is no part of the program's time.
        subprocess.run(boot.with_qemu("qemu-system-arm", "--version"), check=True,
                       stdout=subprocess.DEVNULL)
        status, lines = conformance.run(conformance.TARGETS[TARGET], PLUGIN, ELF)
        self.assertEqual(status, 0, "\n".join(lines[-20:]))
        guest = counts(lines)
        done = subprocess.run([ARMPMU, "run", "--machine", MACHINE, "--devices", DEVICES,
                               "--timeout", "90", ELF], check=False, text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        firmware = counts(done.stdout.splitlines())
        self.assertGreaterEqual(len({piece for piece, _ in firmware}), PIECES_LEAST)
        differences = [f"{piece}: event 0x{event:02x}: guest {guest.get((piece, event), 0)}, "
                       f"firmware {firmware.get((piece, event), 0)}"
                       for piece, event in sorted(guest.keys() | firmware.keys())
                       if guest.get((piece, event)) != firmware.get((piece, event))]
        self.assertEqual(differences, [])
        seen = {event for _, event in firmware}
        self.assertEqual([name for name, event in exact_events().items() if event not in seen], [])


if __name__ == "__main__":
    unittest.main()
