"""What `meson install` leaves for shells and man is where they look for it, and is what armpmu prints.

usage: installed.py MESON BUILD PREFIX DATADIR ARMPMU
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PLACES = {
    "bash-completion/completions/armpmu": ["completion", "bash"],
    "zsh/site-functions/_armpmu": ["completion", "zsh"],
    "fish/vendor_completions.d/armpmu.fish": ["completion", "fish"],
}


class Installed(unittest.TestCase):
    def test_each_file_is_there(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([MESON, "install", "-C", BUILD, "--no-rebuild", "--quiet", "--destdir", folder],
                           check=True, stdout=subprocess.DEVNULL)
            data = Path(folder, PREFIX.lstrip("/"), DATADIR)
            for place, words in PLACES.items():
                with self.subTest(place):
                    printed = subprocess.run([ARMPMU, *words], capture_output=True, check=True).stdout
                    self.assertEqual((data / place).read_bytes(), printed)


if __name__ == "__main__":
    MESON, BUILD, PREFIX, DATADIR, ARMPMU = sys.argv[1:6]
    unittest.main(argv=sys.argv[:1])
