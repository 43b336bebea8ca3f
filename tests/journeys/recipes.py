"""Runs the recipes of docs/recipes.md as they are written, with a small benchmark each.

usage: recipes.py SOURCES ARMPMU

What cannot run without a toolchain, Rust's for Arm and Zephyr's, has its armpmu commands checked against the options of
armpmu help; Rust's runner runs a program of C.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCES, ARMPMU = (Path(sys.argv.pop(1)).resolve() for _ in range(2))
PAGE = (SOURCES / "docs/recipes.md").read_text(encoding="utf-8")
SECTIONS = {section.splitlines()[0]: dict(re.findall(r"```([a-z+]+)\n(.*?)```", section, re.S)) for section in PAGE.split("\n## ")[1:]}

C = "int main(int argc, char **argv)\n{\n    (void)argv;\n    for (volatile int i = 0; i < 1000 * argc; i++)\n        ;\n    return 0;\n}\n"
CXX = """#include <algorithm>
#include <vector>
#include <armpmu/mark.h>
int main()
{{
    std::vector<int> rows(2000);
    for (unsigned i = 0; i < rows.size(); i++)
        rows[i] = i * 7919 % 2003;
{sorting}
{parsing}
    return rows[0];
}}
"""
GO = """package example

import "testing"

var total int

func BenchmarkSum(b *testing.B) {
	values := make([]int, 100)
	for i := 0; i < b.N; i++ {
		for _, value := range values {
			total += value
		}
	}
}
"""


def tool(*names):
    """Skips a test where one of these is not installed."""
    missing = [name for name in names if shutil.which(name) is None]
    return unittest.skipIf(missing, f"not installed: {', '.join(missing)}")


def commands_of(script):
    """The words of each armpmu command, also of one in a variable's value."""
    for line in script.replace("\\\n", " ").splitlines():
        words = shlex.split(line.split('="', 1)[1].rstrip('"') if '="armpmu ' in line else line)
        if words[:1] == ["armpmu"]:
            yield words


class Recipes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_it(self, script):
        environment = os.environ | {"PATH": f"{ARMPMU.parent}:{os.environ['PATH']}", "CPATH": str(SOURCES / "include"),
                                    "GOCACHE": str(ARMPMU.parent / "go-cache"), "GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local"}
        done = subprocess.run(["bash", "-e", "-c", script], cwd=self.folder, env=environment, text=True, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, f"{script}\n{done.stdout}")

    def counts(self):
        """Of each region of counts.json its instructions."""
        document = json.loads((self.folder / "counts.json").read_text())
        self.assertEqual(document["schema"], "armpmu-stat")
        return {section.get("region"): next(e["count"] for e in section["events"] if e["event"] == "INST_RETIRED")
                for section in document["sections"]}

    @tool("arm-linux-gnueabihf-gcc")
    def test_c(self):
        (self.folder / "bench.c").write_text(C)
        self.run_it(SECTIONS["C"]["sh"])
        self.assertGreater(self.counts()[None], 1000)

    def write_cxx(self):
        sorting = re.sub(r"#include.*\n", "", SECTIONS["C++"]["c++"])
        (self.folder / "bench.cc").write_text(CXX.format(sorting=sorting, parsing=sorting.replace("sorting", "parsing")))

    @tool("arm-linux-gnueabihf-g++")
    def test_cxx(self):
        self.write_cxx()
        self.run_it(SECTIONS["C++"]["sh"])
        self.assertIn(list(self.counts().values())[0] // 100000, range(1, 20))  # without the C++ library's start

    @tool("arm-linux-gnueabihf-g++")
    def test_several_in_one_program(self):
        self.write_cxx()
        self.run_it(SECTIONS["C++"]["sh"] + SECTIONS["Several benchmarks in one program"]["sh"])
        self.assertLessEqual({"sorting", "parsing"}, set(self.counts()))

    @tool("go")
    def test_go(self):
        (self.folder / "go.mod").write_text("module example\n")
        (self.folder / "sum_test.go").write_text(GO)
        self.run_it(SECTIONS["Go"]["sh"])
        self.assertIn(list(self.counts().values())[0] // 10000, range(1, 100))  # 200 turns of 100 additions, not Go's start

    @tool("aarch64-linux-gnu-gcc")
    def test_the_runner_of_cargo(self):
        (self.folder / "bench.c").write_text(C)
        self.run_it("aarch64-linux-gnu-gcc -O2 -static -o bench bench.c")
        for title, turns in (("Rust with cargo", range(1000, 10**6)), ("Rust with Criterion", range(5000, 12000))):
            recipe = SECTIONS[title]["sh"].replace("example::sum", "main").replace("$PWD/", "")  # which may have blanks
            exports = [line for line in recipe.splitlines() if line.startswith("export ")]
            self.assertEqual(len(exports), 2)
            self.run_it("\n".join([*exports, "$CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER ./bench"]))
            self.assertIn(self.counts()[None], turns, title)  # main alone: 1000 turns of few instructions

    def test_commands_have_real_options(self):
        commands = [words for blocks in SECTIONS.values() for words in commands_of(blocks.get("sh", ""))]
        self.assertEqual(len(commands), 8)
        machines = subprocess.run([ARMPMU, "list", "machine"], text=True, capture_output=True, check=True).stdout
        for words in commands:
            options = words[2:words.index("--")]
            known = subprocess.run([ARMPMU, "help", words[1]], text=True, capture_output=True, check=True).stdout
            for i, word in enumerate(options):
                if word.startswith("-"):
                    self.assertRegex(known, rf"(?m)^ +(?:-\w, )?{re.escape(word.split('=')[0])}\b", words)
                if word == "--machine":
                    self.assertRegex(machines, rf"(?m)^ *{options[i + 1]}\b")


if __name__ == "__main__":
    unittest.main()
