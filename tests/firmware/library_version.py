"""A version of the Unicorn library that armpmu is not tested with is named, one that is later or of another interface
refused.

usage: library_version.py ARMPMU STUB FIRMWARE      STUB: tests/unicorn/library_stub.c
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU, STUB, FIRMWARE = sys.argv[1:4]
del sys.argv[1:]


class Version(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        Path(folder.name, "libunicorn.so.2").symlink_to(Path(STUB).resolve())

    def armpmu(self, version, *words):
        return subprocess.run([ARMPMU, *words], capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL, timeout=300,
                              env=os.environ | {"LD_LIBRARY_PATH": self.folder, "STUB_VERSION": version})

    def part(self, version):
        parts = json.loads(self.armpmu(version, "doctor", "-j=1").stdout)["parts"]
        return next(part for part in parts if part["name"] == "Unicorn")

    def test_another_interface_and_a_later_version_are_refused(self):
        for version, name in (("010003ff", "1.0.3"), ("020104ff", "2.1.4"), ("030000ff", "3.0.0")):
            message = f"libunicorn.so.2 is version {name} of Unicorn, which armpmu cannot run firmware on: install"
            part = self.part(version)
            self.assertFalse(part["is-there"])
            self.assertIn(message, part["problem"])
            for command in ("run", "stat"):
                done = self.armpmu(version, command, FIRMWARE)
                self.assertEqual((done.returncode, done.stdout), (125, ""))
                self.assertIn(message, done.stderr)

    def test_a_version_that_is_not_tested_is_named(self):
        part = self.part("020100ff")
        self.assertEqual((part["is-there"], part["version"]), (True, "2.1.0"))
        self.assertEqual(part["path"], str(Path(self.folder, "libunicorn.so.2")))
        self.assertRegex(part["reason"], r"not tested with this version, only with 2\.0\.1 and ")
        done = self.armpmu("020100ff", "run", FIRMWARE)
        self.assertEqual((done.returncode, done.stdout), (125, ""))
        self.assertRegex(done.stderr, r"^armpmu: warning: the Unicorn library is version 2\.1\.0, and armpmu is tested "
                         r"with 2\.0\.1 and .*: counts may be wrong\n.*cannot make a .*: a stub\n")

    def test_a_version_that_is_tested_says_so(self):
        part = self.part("020101ff")
        self.assertEqual((part["version"], part["reason"]), ("2.1.1", "armpmu is tested with this version"))


if __name__ == "__main__":
    unittest.main()
