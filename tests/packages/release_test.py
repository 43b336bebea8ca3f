"""The parts of scripts/release that need no whole build: its launcher, and the list of parts.

usage: release_test.py SOURCES BUILD COMPILER
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCES, BUILD, COMPILER = Path(sys.argv.pop(1)), Path(sys.argv.pop(1)), sys.argv.pop(1)


def libraries_of(program):
    listed = subprocess.run(["ldd", program], text=True, check=True, stdout=subprocess.PIPE).stdout
    return re.findall(r"(/\S+)", listed)


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()


class Launcher(Case):
    """A tree as in the tarball, with the armpmu of the build folder."""

    def setUp(self):
        super().setUp()
        self.libraries = libraries_of(BUILD / "armpmu")
        linker = next(Path(path).name for path in self.libraries if "/ld-" in path)
        self.own = self.folder / "top/lib/armpmu"
        (self.own / "lib").mkdir(parents=True)
        words = [COMPILER, "-static", f'-DLINKER="{linker}"', f"-I{SOURCES}/src", "-D_GNU_SOURCE"]
        words += [SOURCES / "src" / name for name in ("release/launcher.c", "base/own_path.c", "base/own_mappings.c")]
        if subprocess.run([*words, "-o", self.own / "armpmu"], check=False, capture_output=True).returncode != 0:
            self.skipTest("the compiler makes no static programs")
        shutil.copy(BUILD / "armpmu", self.own / "armpmu.elf")
        shutil.copy(BUILD / "armpmu-qemu.so", self.own)
        for library in self.libraries:
            shutil.copy(library, self.own / "lib")
        (self.folder / "top/bin").mkdir()
        (self.folder / "top/bin/armpmu").symlink_to("../lib/armpmu/armpmu")

    def run_it(self, *words, program="top/bin/armpmu"):
        return subprocess.run([self.folder / program, *words], text=True, check=False, capture_output=True, env={}, cwd="/")

    def test_it_starts_the_program_beside_it(self):
        (self.folder / "elsewhere").symlink_to("top/bin/armpmu")
        for program in ("top/bin/armpmu", "elsewhere"):
            said = self.run_it("doctor", program=program).stdout
            self.assertEqual(said.splitlines()[0].split(maxsplit=2)[-1], str(self.own / "armpmu"))
            self.assertIn(f"{self.own}/armpmu-qemu.so", said)

    def test_arguments_and_status_pass(self):
        self.assertEqual(self.run_it("list", "machine").stdout,
                         subprocess.run([BUILD / "armpmu", "list", "machine"], text=True, check=True, stdout=subprocess.PIPE).stdout)
        answer = self.run_it("stat", "-e", "no such", "x")
        self.assertEqual(answer.returncode, 125)
        self.assertIn("no such", answer.stderr)

    def test_half_a_tree_is_refused(self):
        shutil.rmtree(self.own / "lib")
        answer = self.run_it("doctor")
        self.assertEqual(answer.returncode, 125)
        self.assertRegex(answer.stderr, "no dynamic linker '.*': No such file or directory; unpack the tarball again, whole")


@unittest.skipIf(shutil.which("dpkg-query") is None, "there is no dpkg")
class Parts(Case):
    def test_each_library_is_of_a_package(self):
        (self.folder / "lib").mkdir()
        (self.folder / "lib/file").write_text("text")
        (self.folder / "share/doc/armpmu/licences").mkdir(parents=True)
        listed = [path for path in libraries_of(BUILD / "armpmu") if not path.startswith("/usr/local")]
        done = subprocess.run([sys.executable, "-B", SOURCES / "scripts/sbom.py", "armpmu-1.2.3", "armpmu-1.2.3-linux-x", self.folder, "1:2-3",
                               *listed], text=True, check=False, capture_output=True, env={**os.environ, "SOURCE_DATE_EPOCH": "86400"})
        self.assertEqual(done.returncode, 0, done.stderr)
        document = json.loads(done.stdout)
        self.assertEqual((document["spdxVersion"], document["creationInfo"]["created"]), ("SPDX-2.3", "1970-01-02T00:00:00Z"))
        names = {package["name"]: package for package in document["packages"]}
        self.assertLessEqual({"armpmu", "qemu-user", "libc6", "libcapstone-dev"}, set(names))
        self.assertEqual(names["qemu-user"]["licenseDeclared"], "GPL-2.0-only")
        parts = [part["SPDXID"] for part in document["packages"] + document["files"]]
        self.assertEqual(len(parts), len(set(parts)))
        self.assertEqual({row["relatedSpdxElement"] for row in document["relationships"]}, set(parts))
        for part in parts:
            self.assertRegex(part, r"^SPDXRef-[A-Za-z0-9.-]+$")
        licences = self.folder / "share/doc/armpmu/licences"
        self.assertIn("qemu=1:2-3\n", (licences / "SOURCES").read_text())
        self.assertGreater((licences / "libc6").stat().st_size, 0)

    def test_a_library_of_nobody_is_refused(self):
        own = self.folder / "libown.so.1"
        own.write_text("")
        done = subprocess.run([sys.executable, "-B", SOURCES / "scripts/sbom.py", "armpmu-1", "x", self.folder, "1", own], text=True,
                              check=False, capture_output=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"no package has {own}", done.stderr)


if __name__ == "__main__":
    unittest.main()
