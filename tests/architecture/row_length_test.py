"""row_length.py finds a signal behind the end of a core's rows, and a core that does not say where they end."""

import tempfile
import unittest
from pathlib import Path

from row_length import check

SIGNALS = 'SIGNAL(FIRST, CYCLES, "a")\nSIGNAL(SECOND, CYCLES, "b")\nSIGNAL(THIRD, CYCLES, "c")\n'


def complaints(source):
    with tempfile.TemporaryDirectory() as folder:
        core = Path(folder, "src/cores/one")
        core.mkdir(parents=True)
        Path(folder, "include/armpmu").mkdir(parents=True)
        Path(folder, "include/armpmu/signal.def").write_text(SIGNALS, encoding="utf-8")
        (core / "core.c").write_text(source, encoding="utf-8")
        return [text.split(": ")[1] for text in check(folder)]


class RowLength(unittest.TestCase):
    def test_sound(self):
        self.assertEqual(complaints(".n_signals = ARMPMU_SIGNAL_SECOND + 1,\ntally[ARMPMU_SIGNAL_SECOND]++;"), [])
        self.assertEqual(complaints(".n_signals = ARMPMU_SIGNAL_COUNT,\ntally[ARMPMU_SIGNAL_THIRD]++;"), [])

    def test_behind_the_end(self):
        self.assertEqual(complaints(".n_signals = ARMPMU_SIGNAL_SECOND + 1,\ntally[ARMPMU_SIGNAL_THIRD]++;"),
                         ["THIRD is not in a row, which ends after SECOND"])

    def test_no_end(self):
        self.assertEqual(complaints("tally[ARMPMU_SIGNAL_FIRST]++;"),
                         ["says 0 times where its rows end, in place of once"])


if __name__ == "__main__":
    unittest.main()
