"""What armpmu whatif predicts for a cure, beside the program that has the cure built in.

usage: whatif_cures.py ARMPMU MACHINES PROGRAM SOURCE [--table]

--table prints the table of docs/whatif.md.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

# Each case: the cure, the line's comment in the source, and how far the prediction may be off, in percent of the slow
# program's cycles; why, where the cure is not the same thing.
CASES = {
    "prefetch": ("prefetch", "prefetch", 10, "PRFM 32 turns ahead"),
    "structure": ("level1", "structure of arrays", 10, "a structure of arrays, which level 1 holds"),
    "sorting": ("branch", "sorting", 10, "the numbers are sorted before the branch"),
    "branchless": ("branch", "sorting", 10, "a conditional select in place of the branch"),
    "pages": ("tlb", "huge pages", 10, "the same lines in eight pages, as in one huge page"),
    "stores": ("stores", "stores", 10, "stores into 32 KB, not all over 4 MB"),
    "latency": ("latency", "latency", 10, "an operation of one cycle in the chain"),
    "blocking": ("level2", "blocking", 10, "256 KB at a time, which level 2 holds"),
}


def report(command, case, way, *words):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "report")
        done = subprocess.run([ARMPMU, command, "--stable", "--machine", "neoverse-n1", "-o", str(file), *words, "--",
                               PROGRAM, case, way], capture_output=True, text=True, check=False,
                              env={**os.environ, "ARMPMU_MACHINE_PATH": MACHINES})
        assert done.returncode == 0, done.stderr
        return file.read_text()


def line_of(comment):
    [number] = [number for number, line in enumerate(Path(SOURCE).read_text().splitlines(), 1)
                if f"/* {comment} */" in line]
    return f"{Path(SOURCE).name}:{number}"


def cycles_of_cured(case):
    lines = report("stat", case, "cured", "-j", "-e", "cycles").splitlines()
    [line] = [line for line in lines if "CPU_CYCLES" in line]
    return int(json.loads(line)["counter-value"])


def measure(case):
    cure, comment = CASES[case][:2]
    document = json.loads(report("whatif", case, "slow", "--places", "20", "-j=1"))
    place = line_of(comment)
    rows = [row for row in document["trials"] if row.get("cure") == cure and row["place"] == place]
    assert rows, f"{case}: no row cures {cure} at {place}: " + str([row["what-if"] for row in document["trials"]])
    return document["cycles"], rows[0]["cycles"], cycles_of_cured(case)


def percent(before, after):
    return 100 * (after - before) / before


class Cures(unittest.TestCase):
    def test_predictions_are_what_the_cure_brings(self):
        for case, (_, _, limit, _) in CASES.items():
            with self.subTest(case=case):
                before, predicted, cured = measure(case)
                self.assertLess(predicted, before)
                self.assertLess(cured, before)
                self.assertLessEqual(abs(predicted - cured), before * limit / 100)


def table():
    for case, (cure, _, _, what) in CASES.items():
        before, predicted, cured = measure(case)
        print(f"| {what} | `{cure}` | {before:,} | {percent(before, predicted):.1f} % | {percent(before, cured):.1f} % |")


if __name__ == "__main__":
    ARMPMU, MACHINES, PROGRAM, SOURCE = sys.argv[1:5]
    if sys.argv[5:] == ["--table"]:
        table()
    else:
        unittest.main(argv=sys.argv[:1])
