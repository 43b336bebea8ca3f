"""debian/ agrees with the rest of the repository: what the build needs and installs, licence, hosts.

usage: control.py SOURCES BUILD
"""

import fnmatch
import json
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

    def test_packages_have_what_is_installed(self):
        folders = {"{bindir}": "usr/bin", "{datadir}": "usr/share", "{includedir}": "usr/include", "{mandir}": "usr/share/man",
                   "{libdir}": "usr/lib/x", "{libdir_shared}": "usr/lib/x", "{libdir_static}": "usr/lib/x", "{prefix}": "usr"}
        plan = json.loads((BUILD / "meson-info/intro-install_plan.json").read_text(encoding="utf-8"))
        paths = [re.sub(r"^\{\w+\}", lambda match: folders[match[0]], one["destination"])
                 for kind in plan.values() for one in kind.values()]
        patterns = [line for path in (SOURCES / "debian").glob("*.install") for line in path.read_text().split()]
        for path in paths:
            above = [path, *(str(folder) for folder in Path(path).parents)]
            self.assertTrue(any(fnmatch.fnmatchcase(one, pattern) for one in above for pattern in patterns), path)

    def test_the_licence_is_ours(self):
        words = " ".join((SOURCES / "LICENSE").read_text(encoding="utf-8").split()[9:])
        copyright_words = " ".join(word for word in (SOURCES / "debian/copyright").read_text(encoding="utf-8").split()
                                   if word != ".")
        self.assertIn("MERCHANTABILITY", words)
        self.assertIn(words, copyright_words)


if __name__ == "__main__":
    SOURCES, BUILD = Path(sys.argv.pop(1)), Path(sys.argv.pop(1))
    unittest.main()
