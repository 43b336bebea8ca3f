"""Guest code exercises every row of the tables of accesses of a core's page in docs/registers: each register, read and
written, in each state of the processor, with and without USEREN.EN, with the outcome that the table has.

usage: accesses.py ARMPMU MACHINE PAGE.md ELF...    conformance programs, which check the exceptions themselves
"""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU, MACHINE, PAGE, *ELFS = sys.argv[1:]
del sys.argv[1:]
DEVICES = "0x10140000"  # where the XScale's program has its interrupt controller

LINE = re.compile(r" *\d+ [0-9a-f]{8} \S* +(read|write|ldc|stc) +(\S+) +(0x[0-9a-f]+|-) .*?([a-z]{3})(-ns)? "
                  r"(done|Undefined)$")
STATES = {  # as the pages call them: Nonsecure, User
    "Privileged": (False, False), "User": (False, True),
    "Secure privileged": (False, False), "Secure User": (False, True),
    "Nonsecure privileged": (True, False), "Nonsecure User": (True, True),
}


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def rows_of(page):
    """(register, write, Nonsecure, User, EN or None) to what its page says."""
    rows, register, states = {}, None, []
    for line in page.splitlines():
        if line.startswith("## "):
            register, states = line[3:].replace("\\", ""), []
        elif re.match(r"\|( EN \|)? (Privileged|Secure privileged) \|", line):
            has_en = line.startswith("| EN ")
            states = [STATES[cell] for cell in cells(line)[has_en:] if cell]
        elif states and re.match(r"\| (?:[01] \| )?(Data|RAZ|Undefined|-) \|", line):
            values = cells(line)
            enabled = int(values.pop(0)) if has_en else None
            for n, outcome in enumerate(values):
                rows[(register, bool(n % 2), *states[n // 2], enabled)] = outcome
    return rows


def in_memory(page):
    """The registers of a page that LDC and STC move."""
    register, found = None, []
    for line in page.splitlines():
        if line.startswith("## "):
            register = line[3:].replace("\\", "")
        elif line.startswith("| STC, LDC |"):
            found.append(register)
    return found


def seen_in(trace):
    """The same for each access of a trace, with a set of outcomes."""
    seen, enabled = {}, 0
    for line in trace.splitlines():
        found = LINE.match(line)
        if not found:
            continue
        kind, name, value, mode, nonsecure, outcome = found.groups()
        write = kind in ("write", "ldc")
        if outcome == "done":
            outcome = "zero" if int(value, 16) == 0 else "Data"
        key = (write, nonsecure is not None, mode == "usr")
        if kind in ("ldc", "stc"):
            seen.setdefault((name, kind, mode == "usr"), set()).add(outcome)
        seen.setdefault((name, *key, enabled), set()).add(outcome)
        if name == "USEREN" and write and outcome != "Undefined":
            enabled = int(value, 16) & 1
    return seen


def elements_of(register, names):
    """PMN<n>: PMN0, PMN1 and so on, as far as any was seen."""
    if "<n>" not in register:
        return [register]
    pattern = re.compile(re.escape(register).replace("<n>", r"\d+") + "$")
    return sorted(name for name in names if pattern.match(name)) or [register]


class Accesses(unittest.TestCase):
    def test_every_row(self):
        page = Path(PAGE).read_text(encoding="utf-8")
        rows = rows_of(page)
        self.assertGreater(len(rows), 8)
        seen = {}
        for elf in ELFS:
            with tempfile.TemporaryDirectory() as folder:
                trace = folder + "/trace"
                done = subprocess.run(
                    [ARMPMU, "run", "--machine", MACHINE, "--devices", DEVICES, "--timeout", "90",
                     "--trace-regs=" + trace, elf], check=False, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr)
                for key, outcomes in seen_in(Path(trace).read_text(encoding="utf-8")).items():
                    seen.setdefault(key, set()).update(outcomes)
        names = {key[0] for key in seen}
        for (register, write, nonsecure, user, enabled), right in rows.items():
            for name in elements_of(register, names):
                got = set()
                for en in (0, 1) if enabled is None else (enabled,):
                    got |= seen.get((name, write, nonsecure, user, en), set())
                allowed = {"Data": {"Data", "zero"}, "RAZ": {"zero"}}.get(right, {right})
                if write and right != "Undefined":
                    allowed = {"Data", "zero"}
                with self.subTest(register=name, write=write, nonsecure=nonsecure, user=user,
                                  enabled=enabled):
                    self.assertTrue(got, "no guest code does it")
                    self.assertLessEqual(got, allowed)
        for register in in_memory(page):
            for name in elements_of(register, names):
                for kind in ("ldc", "stc"):
                    with self.subTest(register=name, instruction=kind):
                        self.assertIn((name, kind, False), seen)
                        self.assertEqual(seen.get((name, kind, True)), {"Undefined"})


if __name__ == "__main__":
    unittest.main()
