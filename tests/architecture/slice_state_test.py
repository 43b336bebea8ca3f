"""Tests slice_state.py, which must report each violation."""

import shutil
import tempfile
import unittest
from pathlib import Path

import slice_state

SOURCE = Path(__file__).parents[2]


class SliceState(unittest.TestCase):
    def complaints(self, header, old, new):
        with tempfile.TemporaryDirectory() as folder:
            for part in ("cores/neoverse", "parts"):
                shutil.copytree(SOURCE / "src" / part, Path(folder, "src", part))
            file = Path(folder, "src", header)
            text = file.read_text(encoding="utf-8")
            self.assertIn(old, text)
            file.write_text(text.replace(old, new, 1), encoding="utf-8")
            return slice_state.check(folder)

    def test_the_source_passes(self):
        self.assertEqual([], slice_state.check(SOURCE))

    def test_a_new_time_is_named(self):
        [complaint] = self.complaints("cores/neoverse/ooo_timing.h", "    uint64_t serialized;",
                                      "    uint64_t banks_free[4], serialized;")
        self.assertIn("struct ooo_timing: 'banks_free'", complaint)

    def test_what_the_digest_forgets_is_named(self):
        [complaint] = self.complaints("cores/neoverse/slices.c", "    add(digest, window->held_for);\n", "")
        self.assertIn("'held_for'", complaint)

    def test_a_reason_for_nothing_is_named(self):
        [complaint] = self.complaints("parts/tlb.h", "bucket_shift;", "shift_of_buckets;\n    unsigned clock;")[-1:]
        self.assertIn("'bucket_shift', which is not there", complaint)


if __name__ == "__main__":
    unittest.main()
