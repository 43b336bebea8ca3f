"""scripts/build-qemu builds once: it links the build in the user's cache, unless that is older than
scripts/pins.

Nothing is fetched or built here: apt-get is a stand-in that fails, so a run that wants to build ends there.
"""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[2]
PINNED = next(row.split()[2] for row in (ROOT / "scripts/pins").read_text("ascii").splitlines()
              if row.startswith("trixie/source qemu "))


def key():
    """What the script adds to a folder's name: it is the end of the path that a first run would make."""
    text = (ROOT / "scripts/build-qemu").read_text("ascii")
    begin = text.index("emulators=")
    lines = text[begin:text.index("meson_wanted")] + text[text.index("key=$("):text.index("folder_of()")]
    return subprocess.run(["sh", "-c", f'{lines}\necho "$key"'], check=True, stdout=subprocess.PIPE,
                          text=True).stdout.strip()


class BuildQemu(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="armpmu-")
        self.addCleanup(scratch.cleanup)
        self.scratch = Path(scratch.name)
        self.command(self.scratch / "bin/apt-get", "echo apt-get was called >&2; exit 100")

    def command(self, path, body):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{body}\n", encoding="ascii")
        path.chmod(0o755)

    def built(self, version):
        folder = self.scratch / f"cache/armpmu/qemu-user-{version.split(':')[-1]}-{key()}"
        for name in ("qemu-arm", "qemu-aarch64"):
            self.command(folder / name, f"echo {name} version {version}")
        (folder / "version").write_text(version + "\n", encoding="ascii")
        return folder

    def run_script(self, *words):
        return subprocess.run([ROOT / "scripts/build-qemu", *words], check=False, capture_output=True, text=True,
                              env={**os.environ, "PATH": f"{self.scratch}/bin:{os.environ['PATH']}",
                                   "BUILD": f"{self.scratch}/build", "XDG_CACHE_HOME": f"{self.scratch}/cache"})

    def test_what_is_built_is_linked(self):
        folder = self.built(PINNED)
        done = self.run_script()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual((self.scratch / "build/qemu").resolve(), folder.resolve())

    def test_the_newest_is_taken(self):
        self.built(PINNED)
        newest = self.built("1:99.1-1")
        self.built("1:99.0-1")
        self.assertEqual(self.run_script().returncode, 0)
        self.assertEqual((self.scratch / "build/qemu").resolve(), newest.resolve())

    def test_an_older_one_is_not_taken(self):
        self.built("1:9.2.0-1")
        done = self.run_script()
        self.assertEqual(done.returncode, 1)
        self.assertIn("scripts/build-qemu: no package lists", done.stderr)
        self.assertFalse((self.scratch / "build/qemu").exists())
        self.assertEqual([path.name for path in (self.scratch / "cache/armpmu").glob("build.*")], [])

    def test_it_takes_no_arguments(self):
        done = self.run_script("again")
        self.assertEqual(done.returncode, 1)
        self.assertIn("'again'", done.stderr)


if __name__ == "__main__":
    unittest.main()
