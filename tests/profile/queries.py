"""docs/data.md and docs/profiling.md: each command that they show of the sample file is run and prints what they show; the
former names every table, view and column.

usage: queries.py ARMPMU SAMPLE_FILE SOURCE_ROOT
"""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path


OF_THE_SAMPLE = re.compile(r"\$ (?:sqlite3|armpmu (?:report|script|annotate .*list::sum))\b")


def examples(text):
    """Command and wanted output of each command of a block that reads the sample file: OF_THE_SAMPLE."""
    for block in re.findall(r"(?:^    .*\n|^\n(?=    ))+", text, re.MULTILINE):
        lines = [line[4:] for line in block.strip("\n").splitlines()]
        for start, line in enumerate(lines):
            if OF_THE_SAMPLE.match(line):
                ends = [i for i in range(start + 1, len(lines)) if lines[i].startswith("$ ")]
                out = lines[start + 1:ends[0] if ends else None]
                yield line[2:], "\n".join(out).strip("\n")


class Queries(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if shutil.which("sqlite3") is None:
            raise unittest.SkipTest("sqlite3 is not installed")
        cls.document = (ROOT / "docs/data.md").read_text(encoding="utf-8")
        # pylint: disable-next=consider-using-with
        cls.folder = tempfile.TemporaryDirectory()
        subprocess.run([SAMPLE_FILE, Path(cls.folder.name, "armpmu.data")], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def ask(self, command):
        run = subprocess.run(["sh", "-c", re.sub("^armpmu", str(ARMPMU), command)], cwd=self.folder.name, capture_output=True, text=True,
                             check=False)
        self.assertEqual((run.returncode, run.stderr), (0, ""), command)
        return "\n".join(line.rstrip() for line in run.stdout.splitlines())

    def test_each_prints_what_the_document_shows(self):
        for document, n in (("docs/data.md", 6), ("docs/profiling.md", 10)):
            shown = list(examples((ROOT / document).read_text(encoding="utf-8")))
            self.assertGreater(len(shown), n)
            for command, wanted in shown:
                with self.subTest(command):
                    self.assertEqual(self.ask(command).strip("\n"), wanted)

    def test_every_table_and_column_is_named(self):
        names = self.ask("sqlite3 armpmu.data \"SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite%'\"")
        for name in names.split():
            section = re.search(rf"^\| `{name}` \|.*$", self.document, re.MULTILINE)
            self.assertIsNotNone(section, name)
            for column in self.ask(f"sqlite3 armpmu.data \"SELECT name FROM pragma_table_info('{name}')\"").split():
                self.assertIn(f"`{column}`", section.group(), f"{name}.{column}")

    def test_version_and_id_are_those_of_the_document(self):
        version = self.ask("sqlite3 armpmu.data 'PRAGMA user_version'")
        self.assertIn(f"`user_version` {version}", self.document)
        self.assertEqual(self.ask("sqlite3 armpmu.data 'PRAGMA application_id'"), str(0x4152504d))
        self.assertEqual(self.ask("sqlite3 armpmu.data 'PRAGMA integrity_check; PRAGMA foreign_key_check'"), "ok")


if __name__ == "__main__":
    ARMPMU = Path(sys.argv.pop(1)).resolve()
    SAMPLE_FILE, ROOT = Path(sys.argv.pop(1)).resolve(), Path(sys.argv.pop(1))
    unittest.main()
