"""What the command shows of a program's monitor: --trace-regs, --vcd, --pin, --inject.

usage: watching.py ARMPMU PINS.elf OVERFLOW.elf
"""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU, PINS, OVERFLOW = [str(Path(word).resolve()) for word in sys.argv[1:4]]
del sys.argv[1:]
PULSES = ["--pin", "PMUEXTIN0=every:100i"]


def run(*words):
    done = subprocess.run([ARMPMU, "run", *words], text=True, check=False,
                          stdin=subprocess.DEVNULL, capture_output=True)
    return done.returncode, done.stderr


def waves(path):
    """Names of wires, and for each the list of (time, value)."""
    names, changes, time = {}, {}, None
    for line in Path(path).read_text(encoding="ascii").splitlines():
        declared = re.match(r"\$var wire (\d+) (\S+) (\S+) \$end", line)
        if declared:
            names[declared[2]] = declared[3]
            changes[declared[3]] = []
        elif line.startswith("#"):
            assert time is None or int(line[1:]) >= time, line
            time = int(line[1:])
        elif line.startswith("b"):
            bits, name = line[1:].split()
            changes[names[name]].append((time, int(bits, 2)))
        elif line[0] in "01":
            changes[names[line[1:]]].append((time, int(line[0])))
    return changes


class Watching(unittest.TestCase):
    def test_pulses_are_counted(self):
        self.assertEqual(run(*PULSES, PINS), (0, ""))
        self.assertEqual(run(PINS)[0], 1)
        self.assertEqual(run("--pin", "PMUEXTIN0=every:50i", PINS)[0], 1)

    def test_pulses_are_shown(self):
        done = subprocess.run([ARMPMU, "stat", "-e", "PMUEXTIN0,PMUEXTIN1,PMUEXTIN_ALL", *PULSES,
                               PINS], text=True, check=True, stdin=subprocess.DEVNULL,
                              capture_output=True)
        shown = re.findall(r"(<no input>|\d+) +(PMUEXTIN\w+)", done.stdout + done.stderr)
        self.assertEqual(shown, [("100", "PMUEXTIN0"), ("<no input>", "PMUEXTIN1"),
                                 ("100", "PMUEXTIN_ALL")])

    def test_a_pin_holds(self):
        # Nothing counts without permission to debug.
        self.assertEqual(run("--pin", "NIDEN=0", "--pin", "dbgen=0", *PULSES, PINS)[0], 1)

    def test_trace(self):
        status, text = run("--trace-regs", *PULSES, PINS)
        lines = text.splitlines()
        self.assertEqual((status, len(lines)), (0, 7))
        pattern = (r" *(\d+) ([0-9a-f]{8}) start\+0x[0-9a-f]+ +(read|write) +(\S+) +"
                   r"(0x[0-9a-f]{8}) (\S*) svc done")
        fields = [re.fullmatch(pattern, line) for line in lines]
        self.assertEqual([field and field[4] for field in fields],
                         ["PMNXSEL", "EVTSEL", "PMCNT", "CNTENS", "PMNC", "PMNC", "PMCNT"])
        self.assertEqual(fields[4][6], "E=0x1")
        self.assertEqual((fields[6][3], fields[6][5]), ("read", "0x00000064"))
        self.assertEqual(int(fields[5][1]) - int(fields[4][1]), 10001)  # PMNC's own, and the loop

    def test_trace_to_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = folder + "/trace"
            self.assertEqual(run(f"--trace-regs={path}", *PULSES, PINS), (0, ""))
            self.assertEqual(len(Path(path).read_text(encoding="ascii").splitlines()), 7)
            status, text = run(f"--trace-regs={folder}/none/trace", PINS)
            self.assertEqual(status, 125)
            self.assertIn("No such file", text)

    def test_waves(self):
        with tempfile.TemporaryDirectory() as folder:
            path = folder + "/waves.vcd"
            self.assertEqual(run("--vcd", path, *PULSES, PINS), (0, ""))
            wires = waves(path)
            self.assertEqual(wires["PMCNT0"][-1][1], 100)
            self.assertEqual([value for _, value in wires["PMCNT0"]], list(range(101)))
            self.assertEqual([value for _, value in wires["PMCNT0_enable"]], [0, 1])
            self.assertEqual(run("--vcd", path, OVERFLOW), (0, ""))
            wires = waves(path)
            values = [value for _, value in wires["nPMUIRQ"]]
            self.assertEqual(values, [1, 0] * 14 + [1])
            self.assertEqual([value for _, value in wires["IRQ"]], [0, 1] * 14 + [0])

    def counts_with(self, *words):
        """Counts that are not zero of PINS on a core whose code and data are in a TCM with ECC."""
        done = subprocess.run(
            [ARMPMU, "stat", "--engine", "unicorn", "--machine", "tms570ls", "-x,", "-e", "all",
             *PULSES, *words, PINS],
            text=True, check=False, stdin=subprocess.DEVNULL, capture_output=True)
        rows = [line.split(",") for line in done.stderr.splitlines()]
        return {row[2]: int(row[0]) for row in rows if row[0].isdigit() and int(row[0]) > 0}

    def test_errors_of_a_tcm(self):
        code = self.counts_with("--inject", "tcm-ecc@0x10100")  # the first instruction
        none = self.counts_with()
        fetch = {"ATCM_SINGLE_BIT_ECC_ERROR": 1, "TCM_COR_ECC_ERROR_PREFETCH": 1}
        self.assertEqual({name: n for name, n in code.items() if "ECC" in name}, fetch)
        self.assertEqual({name: n for name, n in none.items() if "ECC" in name}, {})
        data = ["--inject", "tcm-ecc@0x08000008", "--inject", "axi-slave-read@0x08000008"]
        slave = self.counts_with(*data)
        self.assertEqual({name: n for name, n in slave.items() if "ECC" in name},
                         {"B1TCM_SINGLE_BIT_ECC_ERROR": 1, "TCM_COR_ECC_ERROR_AXI_SLAVE": 1})
        self.assertNotIn("B1TCM_SINGLE_BIT_ECC_ERROR", self.counts_with(*data[:2]))

    def test_two_runs_are_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            texts = []
            for name in ("one", "two"):
                run("--vcd", folder + "/" + name, OVERFLOW)
                texts.append(Path(folder + "/" + name).read_bytes())
            self.assertEqual(*texts)

    def test_refused(self):
        cases = [
            (["--pin", "NOPE=1"], "there is no such pin"),
            (["--pin", "DBGEN=2"], "not a number of 1 bits"),
            (["--pin", "DBGEN=every:0c"], "pulses come every"),
            (["--pin", "DBGEN=every:5"], "pulses come every"),
            (["--inject", "nope@0"], "write KIND@ADDRESS"),
            (["--inject", "dcache-data-ecc"], "write KIND@ADDRESS"),
            (["--inject", "dcache-data-ecc@here"], "not a 32-bit number"),
            (["--inject", "dcache-data-ecc@0x100000000"], "not a 32-bit number"),
            (["--inject", "dcache-data-ecc@0"], "cortex-a8"),
            (["--machine", "cortex-r4f", "--inject", "tcm-ecc@0x1000"], "no TCM of the machine"),
            (["--machine", "cortex-r4f", *["--inject", "dcache-tag-ecc@0"] * 17],
             "more than 16 errors"),
            (["--max-insns", "0"], "from 1 on"),
            (["--timeout", "-1"], "seconds above zero"),
            (["--ram", "0x1000"], "ADDRESS:SIZE"),
            (["--ram", "0xfffff000:8K"], "end of the address space"),
            (["--ram", "0:2G"], "firmware may have"),
            (["--ram", "0x20000000:0"], "--ram 0x20000000:0x0 has no byte: give it a size"),
            (["--ram", "0x20000100:4K"], "is not whole pages of 0x1000 bytes: write --ram "
                                         "0x20000000:0x2000"),
            (["--ram", "0x20000000:100"], "write --ram 0x20000000:0x1000"),
            (["--ram", "0x20000000:8K", "--ram", "0x20001000:4K"],
             "--ram 0x20001000:0x1000 overlaps --ram 0x20000000:0x2000"),
            (["--ram", "0xfeff0000:128K"], "overlaps the devices at 0xff000000: move them with "
                                           "--devices"),
            (["--ram", "0xfffffffffff:1"], "passes the end of the address space"),
            (["--devices", "123"], "multiple of 0x1000"),
            (["--vcd", "/nonexistent/waves"], "No such file"),
            (["--machine", "neoverse-v1"], "a program for 32-bit Arm, which the neoverse-v1 of machine"),
            (["--devices", "0x100000000"], "past the end of the address space, 0x100000000"),
            (["--ram", "0x100000000:4K"], "passes the end of the address space"),
            (["--amu", "v2"], "write enabled, v1p1 or group1:N"),
            (["--el", "4"], "from 1 to 3"),
            (["--frame", "0x123"], "multiple of 4096"),
        ]
        for words, says in cases:
            with self.subTest(words):
                status, text = run(*words, PINS)
                self.assertEqual(status, 125, text)
                self.assertIn(says, text)

    def test_memory_beside_and_around_the_program(self):
        for ram in ("0:16M", "0x20000000:8K"):
            with self.subTest(ram):
                status, text = run("--ram", ram, "--timeout", "60", OVERFLOW)
                self.assertEqual(status, 0, text)


if __name__ == "__main__":
    unittest.main()
