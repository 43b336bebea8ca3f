#!/usr/bin/env python3
"""The page of evidence: whole sentences, and no event without one."""

import tempfile
import unittest

import evidence


class Evidence(unittest.TestCase):
    def test_a_sentence_is_whole(self):
        text = """@ proves: 0x06 of a program
@ expect: LD_RETIRED = 3
/* proves: 0x4004 ticks and cycles have the ratio, not only at the
 * end */
/* proves: 0x10 one
 * proves: 0x11 another
 *
 * Not a sentence. */
/* proves: 0x12 short */
 * Code, or so. */
# proves: 0x08 of a script
 * nothing
"""
        self.assertEqual(evidence.sentences(text.splitlines()), [
            (6, "of a program"), (0x4004, "ticks and cycles have the ratio, not only at the end"),
            (0x10, "one"), (0x11, "another"), (0x12, "short"), (8, "of a script")])

    def test_events_without_a_sentence_are_named(self):
        events = {6: ("LD_RETIRED", "exact"), 7: ("ST_RETIRED", "exact")}
        with tempfile.NamedTemporaryFile("w", suffix=".s") as program:
            program.write("@ proves: 0x06 loads count\n")
            program.flush()
            text, missing = evidence.table(events, [program.name])
            self.assertIn("| **0x06 `LD_RETIRED`** (exact) | loads count | `", text)
            self.assertEqual(missing, ["ST_RETIRED"])
            with self.assertRaisesRegex(SystemExit, "0x06 is claimed"):
                evidence.table({}, [program.name])


if __name__ == "__main__":
    unittest.main()
