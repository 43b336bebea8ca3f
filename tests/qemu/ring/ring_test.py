"""Programs that attack the memory armpmu records them in (guests/hostile.c).

Whatever they do, armpmu ends by itself. Either everything is counted, or there is a message, a report of
what was counted until then, and exit status 125; and no process is left."""

import os
import re
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

ARMPMU = os.environ["ARMPMU"]
MACHINES = {"hostile_a32": "cortex-a8", "hostile_a64": "neoverse-v1"}
PROGRAMS = {Path(p).name: p for p in os.environ["HOSTILE"].split(":")}
ENVIRONMENT = {"PATH": os.environ["PATH"], "ARMPMU_PLUGIN": os.environ["RECORDER"]}
WORK = 13_000_000  # instructions of the program, at least
TRUSTING = "armpmu's recording"


def running(program):
    """Processes that have this file among their arguments."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and program.encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            pass
    return found


class Attack(unittest.TestCase):
    program = None
    events = "instructions,cycles"

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.copy = str(Path(self.folder.name, "hostile"))
        shutil.copy(PROGRAMS[self.program], self.copy)
        self.addCleanup(self.nobody_is_left)

    def nobody_is_left(self):
        """Waits as long as Meson does."""
        while running(self.copy):
            time.sleep(0.05)

    def attack(self, *arguments):
        """Status, counted instructions, and what program and armpmu said."""
        report = Path(self.folder.name, "report")
        report.unlink(missing_ok=True)  # of the attack before: a run that counts nothing leaves the file as it was
        command = [ARMPMU, "stat", "--machine", MACHINES[self.program], "-e", self.events,
                   "-o", str(report), self.copy, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT,
                              errors="replace")
        text = report.read_text(encoding="utf-8") if report.exists() else ""
        count = re.search(r"([\d,]+)\s+INST_RETIRED", text)
        return done, int(count.group(1).replace(",", "")) if count else None

    def counted_whole(self, *arguments):
        done, count = self.attack(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("worked on\n", done.stdout)
        self.assertGreater(count, WORK)
        return done

    def counted_so_far(self, *arguments):
        done, count = self.attack(*arguments)
        self.stopped(done, count)

    def stopped(self, done, count):
        if self.events == "instructions" and done.returncode == 0:  # what was attacked is not needed
            self.assertGreater(count, WORK)
            return
        self.assertEqual(done.returncode, 125, done.stderr)
        # QEMU may have begun to say where it crashed: our line goes on from there.
        said = re.findall("armpmu: .*", done.stderr)
        self.assertEqual(len(said), 1, done.stderr)
        self.assertIn(TRUSTING, said[0])
        if "the program ran, but was not counted: " in said[0]:  # written to before anything was read
            self.assertIsNone(count)
            return
        self.assertIn("not counted to its end", said[0])
        self.assertIsNotNone(count)
        if self.events != "instructions":
            self.assertLess(count, WORK)


class A32(Attack):
    program = "hostile_a32"

    def test_no_attack(self):
        self.counted_whole("none")

    def test_its_file_keeps_its_size(self):
        self.counted_whole("truncate")
        self.counted_whole("grow")

    def test_its_file_has_no_descriptor(self):
        done, _ = self.attack("truncate")
        self.assertNotIn("/fd/", done.stdout)

    def test_descriptors_are_the_program_s_own(self):
        self.counted_whole("close_all")
        self.counted_whole("cover_all")

    def test_its_file_is_written(self):
        """Root opens it by the name that the kernel gives to every mapping; others find none."""
        for attack in (["punch"], ["write", "0"], ["write", "255"], ["write", "17"], ["random"]):
            with self.subTest(attack=attack):
                done, count = self.attack(*attack)
                if ": opened" in done.stdout or os.geteuid() == 0:
                    self.stopped(done, count)
                else:
                    self.assertEqual((done.returncode, done.stderr), (0, ""))


    def test_it_is_written_as_memory_of_its_own(self):
        for attack in (["memory", "0"], ["memory", "255"], ["memory", "17"], ["memory_random"]):
            with self.subTest(attack=attack):
                self.counted_so_far(*attack)

    def test_words_are_written_again_and_again(self):
        self.counted_so_far("race")


@unittest.skipUnless("hostile_a64" in PROGRAMS, "no compiler for AArch64")
class A64(A32):
    program = "hostile_a64"

    def test_its_place_cannot_be_mapped(self):
        for attack in ("map", "map_chunks", "map_child", "unmap", "protect", "remap"):
            with self.subTest(attack=attack):
                done = self.counted_whole(attack)
                self.assertRegex(done.stdout, r"(map|unmap|protect|remap): (Cannot allocate memory|Invalid argument)")

    def test_it_is_stored_to(self):
        for attack in (["store", "0"], ["store", "255"], ["store", "17"], ["store_random"],
                       ["store_streams"], ["store_counts", "255"], ["store_blocks", "0"],
                       ["store_blocks", "255"], ["store_blocks"], ["detach"]):
            with self.subTest(attack=attack):
                self.counted_so_far(*attack)


class A64Counted(A64):
    """Where QEMU counts, and nothing is recorded."""
    events = "instructions"


del Attack

if __name__ == "__main__":
    unittest.main()
