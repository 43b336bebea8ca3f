"""A program that is recorded, and built again with what armpmu convert writes for compilers: what their tests share.

words.c prints how often some of its lines executed.
"""

import re
import tempfile
from pathlib import Path

import formats
from formats import Case, run


class Trained(Case):
    """A program whose profile a tool optimises it with: words.c, for AArch64."""
    SOURCE = Path(__file__).with_name("words.c")
    TRAINED, OTHER = ("2000", "1"), ("20000", "7")
    LINK = ("-static",)
    RECORD = ("-e", "INST_RETIRED")

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="armpmu-export-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.data = self.folder / "armpmu.data"
        self.program = self.build("words")
        self.said = run(formats.ARMPMU, "record", "-q", "--machine", "neoverse-n1", *self.RECORD, "-o", self.data, "--",
                        self.program, *self.TRAINED).split()

    def build(self, name, *words):
        run(*self.COMPILE, *self.LINK, "-O2", *words, self.SOURCE, "-o", self.folder / name)
        return self.folder / name

    def insns(self, program):
        """Executed with another input."""
        run(formats.ARMPMU, "stat", "--machine", "neoverse-n1", "-x,", "-e", "INST_RETIRED", "-o", self.folder / "stat.csv", "--",
            program, *self.OTHER)
        return int(re.search(r"(?m)^(\d+),instructions,INST_RETIRED", (self.folder / "stat.csv").read_text())[1])

    def lines(self, function):
        """Numbers of lines of the source by their text, from the function's first line."""
        text = self.SOURCE.read_text().splitlines()
        first = next(i for i, line in enumerate(text) if re.search(rf"\b{function}\(.*\)$", line))
        return {line.strip(): i - first for i, line in reversed(list(enumerate(text))) if i >= first}
