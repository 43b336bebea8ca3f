"""Each event of a Cortex-R4F that has a bit of EVNTBUS drives it, and each error that is located is in
CFLR, when a program makes them happen or meets them: by --vcd, --trace-regs and stat.

usage: event_bus.py ARMPMU EXPORTING.elf SILENT.elf

Reads by another bus master (0x6C, 0x6D) are made before the program can export anything: CFLR has them,
their bits of the bus are in tests/pmu.

 * proves: 0x4A a tag error that a fetch meets drives bit 22 of the bus and is in CFLR
 * proves: 0x4B a data error that a fetch meets drives bit 23 and is in CFLR
 * proves: 0x4C a tag error that a load meets drives bit 24 and is in CFLR
 * proves: 0x4D a data error that a load meets drives bit 25 and is in CFLR
 * proves: 0x4E a fatal error that a fetch meets drives bit 26 and leaves CFLR alone
 * proves: 0x4F a fatal error that a load meets drives bit 27 and leaves CFLR alone
 * proves: 0x60 a fatal error in the data drives bit 33 and leaves CFLR alone
 * proves: 0x61 a fatal error in a tag drives bit 34 and leaves CFLR alone
 * proves: 0x62 an error of a cache that comes back is livelock, and drives bit 35
 * proves: 0x6A a correctable error that a load meets drives bit 43 and is in CFLR
 * proves: 0x6B a correctable error that a fetch meets drives bit 44 and is in CFLR
 * proves: 0x6C a fatal error that another bus master meets leaves CFLR alone
 * proves: 0x6D a correctable error that another bus master meets is in CFLR
"""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU, EXPORTING, SILENT = [str(Path(word).resolve()) for word in sys.argv[1:4]]
del sys.argv[1:]

# Where the program's code, lines and doublewords lie.
CODE, SPOTS, DOUBLEWORDS = 0x10200, 0x62000, 0x08000000
LINE = 32
# A kind of error, where a program on the machine meets it, and what counts it.
CACHES = [("icache-tag-ecc", CODE, 0x4A), ("icache-data-ecc", CODE + LINE, 0x4B),
          ("icache-data-hard", CODE + 2 * LINE, 0x62),
          ("dcache-tag-ecc", SPOTS, 0x4C), ("dcache-tag-ecc-fatal", SPOTS + LINE, 0x61),
          ("dcache-data-ecc", SPOTS + 2 * LINE, 0x4D),
          ("dcache-data-ecc-fatal", SPOTS + 3 * LINE, 0x60),
          ("dcache-data-hard", SPOTS + 4 * LINE, 0x62)]
TCMS = [("tcm-ecc", CODE, 0x6B), ("tcm-ecc-fatal", CODE + LINE, 0x4E),
        ("tcm-ecc", DOUBLEWORDS, 0x6A), ("tcm-ecc-fatal", DOUBLEWORDS + 16, 0x4F),
        ("tcm-ecc", DOUBLEWORDS + 40, 0x6A), ("tcm-ecc-fatal", DOUBLEWORDS + 56, 0x4F)]
# On a machine of its own each: the error, and what CFLR must have but for a cache's way.
WAY = 0xf << 26
LOCATED = [("cortex-r4f", "icache-tag-ecc", CODE, CODE & 0x3fe0),
           ("cortex-r4f", "icache-data-ecc", CODE + LINE, CODE + LINE & 0x3fe0),
           ("cortex-r4f", "dcache-tag-ecc", SPOTS, SPOTS & 0x3fe0 | 1),
           ("cortex-r4f", "dcache-data-ecc", SPOTS + 5 * LINE, SPOTS + 5 * LINE & 0x3fe0 | 1),
           ("tms570ls", "tcm-ecc", CODE, 1 << 24 | CODE),
           ("tms570ls", "tcm-ecc", DOUBLEWORDS + 8, 2 << 24 | 8 | 1)]
SILENT_IN_CFLR = [("cortex-r4f", "dcache-data-ecc-fatal", SPOTS),
                  ("cortex-r4f", "dcache-tag-ecc-fatal", SPOTS),
                  ("tms570ls", "tcm-ecc-fatal", CODE), ("tms570ls", "tcm-ecc-fatal", DOUBLEWORDS)]


def run(*words):
    done = subprocess.run([ARMPMU, *words], text=True, check=False, stdin=subprocess.DEVNULL,
                          capture_output=True)
    assert done.returncode == 0, (words, done.returncode, done.stderr)
    return done.stdout + done.stderr


def injections(errors):
    return [word for kind, address, *_ in errors for word in ("--inject", f"{kind}@{address:#x}")]


def bits_of_the_bus(machine, program, errors):
    """Every bit that was ever one."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "waves.vcd")
        run("run", "--caches-on", "--machine", machine, "--vcd", str(path), *injections(errors), program)
        text = path.read_text(encoding="ascii")
    name = re.search(r"\$var wire 64 (\S+) EVNTBUS \$end", text)[1]
    values = re.findall(rf"^b([01]+) {re.escape(name)}$", text, re.MULTILINE)
    assert values
    seen = 0
    for value in values:
        seen |= int(value, 2)
    return {bit for bit in range(64) if seen >> bit & 1}


def counts(machine, program, errors, *words):
    text = run("stat", "--caches-on", "--engine", "unicorn", "--machine", machine, "-x,", "-e", "all", *words,
               *injections(errors), program)
    rows = [line.split(",") for line in text.splitlines()]
    return {row[2]: int(row[0]) for row in rows if row[0].isdigit()}


def cflr(machine, errors):
    text = run("run", "--caches-on", "--machine", machine, "--trace-regs", *injections(errors), SILENT)
    return int(re.search(r"read +CFLR +(0x[0-9a-f]{8}) ", text)[1], 16)


class EventBus(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        listed = list(map(json.loads, run("list", "--core", "cortex-r4f", "-j").splitlines()))
        cls.events = {int(event["EventCode"], 16): event for event in listed
                      if "EventCode" in event}
        cls.bit = {number: event["EventBusBit"] for number, event in cls.events.items()
                   if "EventBusBit" in event}

    def test_each_event_that_happens_drives_its_bit(self):
        seen = set()
        for machine, errors in (("cortex-r4f", CACHES), ("tms570ls", TCMS)):
            counted = counts(machine, EXPORTING, errors)
            bits = bits_of_the_bus(machine, EXPORTING, errors)
            self.assertEqual(bits, {bit for number, bit in self.bit.items()
                                    if counted.get(self.events[number]["EventName"], 0) > 0})
            seen |= bits
        slave = {self.bit[0x6C], self.bit[0x6D]}
        self.assertEqual(seen, set(self.bit.values()) - slave)
        self.assertEqual(seen | slave | {36}, set(range(47)))  # 36: of 0x63, which is unused

    def test_without_x_nothing_is_on_the_bus(self):
        for machine, errors in (("cortex-r4f", CACHES), ("tms570ls", TCMS)):
            self.assertEqual(bits_of_the_bus(machine, SILENT, errors), set())

    def test_errors_count_as_often_as_they_are_met(self):
        counted = counts("cortex-r4f", SILENT, CACHES)
        once = [0x4A, 0x4C, 0x60, 0x61]
        twice = [0x62]  # two errors that come back
        thrice = [0x4B, 0x4D]  # one of one bit, one that comes back: met twice
        for times, numbers in enumerate((once, twice, thrice), 1):
            for number in numbers:
                self.assertEqual(counted[self.events[number]["EventName"]], times, hex(number))
        counted = counts("tms570ls", SILENT, TCMS)
        for number, times in {0x6B: 1, 0x4E: 1, 0x6A: 2, 0x4F: 2, 0x67: 1, 0x64: 1, 0x68: 1,
                              0x69: 1, 0x65: 1, 0x66: 1}.items():
            self.assertEqual(counted[self.events[number]["EventName"]], times, hex(number))
        for machine in ("cortex-r4f", "tms570ls"):
            clean = counts(machine, SILENT, [])
            for number, event in self.events.items():
                if event["Fidelity"] == "input" or number == 0x62:
                    self.assertEqual(clean.get(event["EventName"], 0), 0, event["EventName"])

    def test_located_errors_are_in_cflr(self):
        self.assertEqual(cflr("cortex-r4f", []), 0)
        for machine, kind, address, want in LOCATED:
            got = cflr(machine, [(kind, address)])
            way = WAY if machine == "cortex-r4f" else 0
            self.assertEqual(got & ~way, want, (kind, hex(address)))
            self.assertLess(got >> 26, 4)
        slave = [("tcm-ecc", DOUBLEWORDS + 0x20), ("axi-slave-read", DOUBLEWORDS + 0x20)]
        self.assertEqual(cflr("tms570ls", slave), 2 << 24 | 0x20 | 2)

    def test_fatal_errors_leave_cflr_alone(self):
        for machine, kind, address in SILENT_IN_CFLR:
            self.assertEqual(cflr(machine, [(kind, address)]), 0, kind)
        slave = [("tcm-ecc-fatal", DOUBLEWORDS), ("axi-slave-read", DOUBLEWORDS)]
        self.assertEqual(cflr("tms570ls", slave), 0)

    def test_the_latest_located_error_is_the_one_in_cflr(self):
        self.assertEqual(cflr("cortex-r4f", [("icache-tag-ecc", CODE), ("dcache-tag-ecc", SPOTS)])
                         & ~WAY, CODE & 0x3fe0)  # the code is met again behind the data

    def test_slave_reads_count(self):
        for kind, number in (("tcm-ecc", 0x6D), ("tcm-ecc-fatal", 0x6C)):
            errors = [(kind, DOUBLEWORDS + 8), ("axi-slave-read", DOUBLEWORDS + 8)]
            counted = counts("tms570ls", SILENT, errors)
            self.assertEqual(counted[self.events[number]["EventName"]], 1)


if __name__ == "__main__":
    unittest.main()
