"""armpmu doctor: what is there, and what is missing.

usage: doctor.py ARMPMU
"""

import json
import os
import subprocess
import sys
import unittest


def doctor(*words, **variables):
    return subprocess.run([ARMPMU, "doctor", *words], capture_output=True, text=True, check=False,
                          env={**os.environ, **variables})


class Doctor(unittest.TestCase):
    def test_both_forms_say_the_same(self):
        text, document = doctor(), json.loads(doctor("-j").stdout)
        self.assertEqual(text.returncode, 0 if all(part["is-there"] for part in document["parts"]) else 1)
        for part in document["parts"]:
            with self.subTest(part["name"]):
                self.assertRegex(text.stdout, rf"(?m)^{'ok' if part['is-there'] else 'missing'} +{part['name']} ")
                if "path" in part:
                    self.assertTrue(os.access(part["path"], os.R_OK))

    def test_what_is_missing_says_what_it_costs(self):
        done = doctor(PATH="/nowhere")
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        for name in ("qemu-arm", "qemu-aarch64", "qemu-system-arm", "qemu-system-aarch64"):
            self.assertRegex(done.stdout, rf"(?m)^missing +{name} ")
        self.assertIn("without it: no 32-bit Arm programs\n", done.stdout)
        self.assertIn("apt install qemu-user", " ".join(done.stdout.split()))

    def test_a_plugin_that_is_named_must_be_there(self):
        parts = json.loads(doctor("-j", ARMPMU_PLUGIN="/nowhere/plugin.so").stdout)["parts"]
        plugin = next(part for part in parts if part["name"] == "armpmu-qemu.so")
        self.assertFalse(plugin["is-there"])
        self.assertIn("/nowhere/plugin.so", plugin["problem"])

    def test_it_takes_no_operand(self):
        done = doctor("me")
        self.assertEqual((done.returncode, done.stdout), (125, ""))
        self.assertIn("'me'", done.stderr)


if __name__ == "__main__":
    ARMPMU = sys.argv.pop(1)
    unittest.main()
