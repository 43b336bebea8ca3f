"""debian/ agrees with the rest of the repository: what the build needs, licence, hosts.

usage: control.py SOURCES
"""

import re
import sys
import unittest
from pathlib import Path

# Every build of a Debian package has these, or one that is named depends on them.
ALWAYS_THERE = {"gcc", "libc6-dev", "make", "ninja-build"}
OWN = {"debhelper-compat", "python3"}


def field(name):
    """The packages of a field of the source, without versions."""
    text = (SOURCES / "debian/control").read_text(encoding="utf-8")
    value = re.search(rf"^{name}:(.*(?:\n .*)*)", text, re.MULTILINE)[1]
    return {word.split()[0] for word in value.replace("\n", " ").split(",") if word.strip()}


class Control(unittest.TestCase):
    def test_it_needs_what_setup_installs(self):
        setup = (SOURCES / "scripts/setup").read_text(encoding="utf-8")
        build = set(re.findall(r"^build +(\S+)", setup, re.MULTILINE))
        self.assertIn("meson", build)
        self.assertEqual(field("Build-Depends") - OWN, build - ALWAYS_THERE)

    def test_setup_installs_what_it_needs_besides(self):
        setup = (SOURCES / "scripts/setup").read_text(encoding="utf-8")
        deb = set(re.findall(r"^deb +(\S+)", setup, re.MULTILINE))
        self.assertLessEqual(field("Build-Depends-Indep") | {"debhelper", "python3"}, deb)

    def test_the_licence_is_ours(self):
        words = " ".join((SOURCES / "LICENSE").read_text(encoding="utf-8").split()[9:])
        copyright_words = " ".join(word for word in (SOURCES / "debian/copyright").read_text(encoding="utf-8").split()
                                   if word != ".")
        self.assertIn("MERCHANTABILITY", words)
        self.assertIn(words, copyright_words)


if __name__ == "__main__":
    SOURCES = Path(sys.argv.pop(1))
    unittest.main()
