"""`meson install` puts completion scripts and manual pages where shells and man look for them, as armpmu
prints them.

usage: installed.py MESON BUILD PREFIX DATADIR MANDIR ARMPMU PROGRAM
"""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PLACES = {
    "{data}/bash-completion/completions/armpmu": ["completion", "bash"],
    "{data}/zsh/site-functions/_armpmu": ["completion", "zsh"],
    "{data}/fish/vendor_completions.d/armpmu.fish": ["completion", "fish"],
    "{man}/man1/armpmu.1": ["help", "--man"],
    "{man}/man1/armpmu-stat.1": ["help", "--man", "stat"],
}


class Installed(unittest.TestCase):
    def test_each_file_is_there(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([MESON, "install", "-C", BUILD, "--no-rebuild", "--quiet", "--destdir", folder],
                           check=True, stdout=subprocess.DEVNULL)
            prefix = Path(folder, PREFIX.lstrip("/"))
            for place, words in PLACES.items():
                with self.subTest(place):
                    printed = subprocess.run([ARMPMU, *words], capture_output=True, check=True).stdout
                    self.assertEqual((prefix / place.format(data=DATADIR, man=MANDIR)).read_bytes(), printed)

    def test_each_command_and_header_has_a_page(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([MESON, "install", "-C", BUILD, "--no-rebuild", "--quiet", "--destdir", folder],
                           check=True, stdout=subprocess.DEVNULL)
            prefix = Path(folder, PREFIX.lstrip("/"))
            named = re.findall(r"^  (\w+) {2,}\w", subprocess.run([ARMPMU, "help"], capture_output=True, text=True,
                                                                 check=True).stdout, re.MULTILINE)
            self.assertEqual({page.name for page in (prefix / MANDIR / "man1").iterdir()},
                             {"armpmu.1"} | {f"armpmu-{name}.1" for name in named})
            self.assertEqual({page.name for page in (prefix / MANDIR / "man3").iterdir()}, {"libarmpmu.3"} | {
                f"armpmu_{header.name}.3" for header in (prefix / "include" / "armpmu").glob("*.h")})

    def test_the_plugin_has_capstone_for_arm_alone(self):
        """Code and data of all instruction sets are 7 MB."""
        sizes = subprocess.run(["size", Path(BUILD, "armpmu-qemu.so")], capture_output=True, text=True, check=True)
        text, data = map(int, sizes.stdout.splitlines()[1].split()[:2])
        self.assertLess(text + data, 5_000_000)

    def test_an_installation_can_be_moved(self):
        """Machines are compiled in, the plugin and the checks are found from the program."""
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([MESON, "install", "-C", BUILD, "--no-rebuild", "--quiet", "--destdir", folder],
                           check=True, stdout=subprocess.DEVNULL)
            moved = Path(folder, "moved")
            Path(folder, PREFIX.lstrip("/")).rename(moved)
            shutil.rmtree(moved / DATADIR / "armpmu" / "machines")
            done = subprocess.run([moved / "bin" / "armpmu", "stat", "--machine", "cortex-a8-omap3530", "-j", "-e",
                                   "instructions", "--", PROGRAM], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn('"machine": "cortex-a8-omap3530"', done.stderr)


if __name__ == "__main__":
    MESON, BUILD, PREFIX, DATADIR, MANDIR, ARMPMU, PROGRAM = sys.argv[1:8]
    unittest.main(argv=sys.argv[:1])
