"""armpmu doctor reports installed and missing parts.

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
        text, document = doctor(), json.loads(doctor("-j=1").stdout)
        needed = [part["is-there"] for part in document["parts"] if not part["is-optional"]]
        self.assertEqual(text.returncode, 0 if all(needed) else 1)
        for part in document["parts"]:
            word = "ok" if part["is-there"] else "absent" if part["is-optional"] else "missing"
            with self.subTest(part["name"]):
                self.assertRegex(text.stdout, rf"(?m)^{word} +{part['name']} ")
                if "path" in part:
                    self.assertTrue(os.access(part["path"], os.R_OK))
                if "reason" in part:
                    self.assertIn(part["reason"], " ".join(text.stdout.split()))

    def test_a_qemu_that_is_missing_says_what_it_costs(self):
        done = doctor(ARMPMU_QEMU="/nowhere/qemu")
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        for name in ("qemu-arm", "qemu-aarch64"):
            self.assertRegex(done.stdout, rf"(?m)^missing +{name} ")
        self.assertIn("without it: no 32-bit Arm programs\n", done.stdout)
        self.assertIn("run scripts/setup", " ".join(done.stdout.split()))

    def test_what_only_guests_need_is_absent_and_no_failure(self):
        all_parts, done = json.loads(doctor("-j=1").stdout)["parts"], doctor(PATH="/nowhere")
        self.assertRegex(done.stdout, r"(?m)^absent +qemu-system-arm ")
        self.assertIn("scripts/with-qemu11", done.stdout)
        if all(part["is-there"] for part in all_parts if not part["is-optional"]) and \
                all(part.get("reason") == "armpmu's own" for part in all_parts[:2]):
            self.assertEqual(done.returncode, 0)

    def test_it_says_why_it_is_this_qemu(self):
        own = json.loads(doctor("-j=1").stdout)["parts"][0]
        self.assertIn(own["reason"], ("armpmu's own", "the system's, since armpmu's own is not built (scripts/setup)"))
        named = json.loads(doctor("-j=1", ARMPMU_QEMU=own["path"]).stdout)["parts"][0]
        self.assertEqual((named["path"], named["reason"]), (own["path"], "named by ARMPMU_QEMU"))

    def test_a_plugin_that_is_named_must_be_there(self):
        parts = json.loads(doctor("-j=1", ARMPMU_PLUGIN="/nowhere/plugin.so").stdout)["parts"]
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
