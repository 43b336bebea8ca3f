"""armpmu convert --to llvm-sample: clang and llvm-profdata read it. Run by formats.py."""

import re
import subprocess

import formats
from formats import run
from samples import Trained


class llvm_sample(Trained):
    TOOLS = {"clang": "clang", "llvm-profdata": "llvm", "aarch64-linux-gnu-gcc": "gcc-aarch64-linux-gnu"}
    COMPILE = "clang", "--target=aarch64-linux-gnu", "-gline-tables-only", "-fdebug-info-for-profiling"

    def profile(self):
        """The lines of each function, by their depth."""
        functions = {}
        for line in self.convert("llvm-sample").read_text().splitlines():
            if not line.startswith(" "):
                body = functions.setdefault(line, [])
            else:
                body.append(line)
        return functions

    def test_totals_are_the_executed_instructions(self):
        counted = self.by_function("INST_RETIRED")
        for head, _ in self.profile().items():
            name, total, entries = head.split(":")
            self.assertEqual(int(total), counted[name], head)
            self.assertIn(int(entries), (1, 250, 1750), head)
        self.assertEqual({head.split(":")[0] for head in self.profile()}, {"main", "add", "mix"})

    def test_places_have_the_counts_that_the_program_prints(self):
        letters, digits, words = map(int, self.said[1:])
        main, body = self.lines("main"), next(body for head, body in self.profile().items() if head.startswith("main:"))
        self.assertIn(f" {main['struct entry *const entry = find(word);']}: find:", "\n".join(body))
        made = self.lines("make_word")
        self.assertRegex("\n".join(body), rf"(?m)^  {made['kinds[classify(word[k])]++;']}(\.\d+)?: {letters + digits}$")
        choice = made["word[k] = (char)(next() % 16 == 0 ? '0' + next() % 10 : 'a' + next() % 8);"]
        pieces = set(map(int, re.findall(rf"(?m)^  {choice}\.\d+: (\d+)$", "\n".join(body))))
        self.assertIn(digits, pieces)  # of one line, by discriminators; the other may begin before the choice is made
        self.assertTrue(any(letters <= piece < letters + digits for piece in pieces), (letters, pieces))
        # A compiler may make the choice a jump to copies of the line, one of them beside what it guards.
        choice = main["if (entry->n++ == 0)"]
        counts = [sum(map(int, re.findall(rf"(?m)^ {line}: (\d+)$", "\n".join(body)))) for line in (choice, choice + 1)]
        self.assertIn(words, (counts[0], sum(counts)))

    def test_llvm_reads_it(self):
        shown = run("llvm-profdata", "show", "--sample", self.convert("llvm-sample"))
        for head, _ in self.profile().items():
            name, total, entries = head.split(":")
            self.assertIn(f"Function: {name}: {total}, {entries},", shown)

    def test_clang_makes_a_faster_program_of_it(self):
        faster = self.build("faster", f"-fprofile-sample-use={self.convert('llvm-sample')}", "-Werror")
        self.assertLess(self.insns(faster), self.insns(self.program))

    def test_refusals(self):
        self.refuses("--to llvm-sample holds executed instructions only: leave out -e", "-e", "INST_RETIRED")
        with open(self.program, "ab") as file:
            file.write(b"changed")
        self.convert("llvm-sample")  # the same build ID
        self.build("words", "-DENTRIES=2048u", "-Wno-macro-redefined", "-Wl,--build-id=0x0123")
        self.refuses(f"'{self.program}' is not the recorded file: its build ID differs")
        self.program.unlink()
        self.refuses("the profile has no code with debug information: compile the program with -g")

    def refuses(self, message, *words):
        done = subprocess.run([formats.ARMPMU, "convert", "--to", "llvm-sample", *words], cwd=self.folder, capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 125)
        self.assertIn(message, done.stderr)
