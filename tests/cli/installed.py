"""What `meson install` leaves for shells and man is where they look for it, and is what armpmu prints.

usage: installed.py MESON BUILD PREFIX DATADIR MANDIR ARMPMU
"""

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


if __name__ == "__main__":
    MESON, BUILD, PREFIX, DATADIR, MANDIR, ARMPMU = sys.argv[1:7]
    unittest.main(argv=sys.argv[:1])
