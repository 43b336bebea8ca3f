"""Programs that take all memory of their control group (guests/hungry.c).

armpmu ends them before the kernel would, and reports what was counted until then. The control group
is one of files that this test writes, mounted over the system's in a mount namespace of its own: what it
says is taken is what armpmu and its children have taken."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path

ARMPMU = os.environ["ARMPMU"]
HUNGRY = os.environ["HUNGRY"]
ENVIRONMENT = {"PATH": os.environ["PATH"], "ARMPMU_PLUGIN": os.environ["RECORDER"]}
MB = 1 << 20
LIMIT = 384 * MB
INSIDE = 'mount --bind "$0" /sys/fs/cgroup && exec "$@"'
# As root, or as the root of a user namespace where those are allowed.
WAYS = [["unshare", "-m"], ["unshare", "-r", "-m"]]


def way_in(folder):
    """The command that runs another where the folder is the system's control groups."""
    for way in WAYS:
        command = [*way, "sh", "-c", INSIDE, str(folder)]
        if subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0:
            return command
    raise unittest.SkipTest("no mount namespace can be made here (unshare)")


def members(first):
    """A process and all below it."""
    found = [first]
    for pid in found:
        for task in Path(f"/proc/{pid}/task").glob("*/children"):
            found += [int(child) for child in task.read_text(encoding="ascii").split()]
    return found


def taken(first):
    """Bytes that a process and all below it have taken, what they share once."""
    total = 0
    for pid in members(first):
        text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
        total += int(re.search(r"^Pss:\s+(\d+)", text, re.MULTILINE).group(1)) * 1024
    return total


class Group:
    """The files of a control group, of both versions."""

    def __init__(self, folder):
        self.folder = Path(folder)
        (self.folder / "memory").mkdir()
        self.put("memory.max", LIMIT)
        self.put("memory/memory.limit_in_bytes", LIMIT)
        self.use(0)

    def put(self, name, text):
        new = self.folder / "new"
        new.write_text(f"{text}\n", encoding="ascii")
        new.rename(self.folder / name)

    def use(self, n_bytes, cached=0):
        for name, word in ("", "inactive_file"), ("memory/", "total_active_file"):
            self.put(name + "memory.stat", f"{word} {cached}")
        self.put("memory.current", n_bytes + cached)
        self.put("memory/memory.usage_in_bytes", n_bytes + cached)

    def follow(self, running, over):
        """Says what is taken, until the process has ended."""
        while not over.is_set():
            try:
                self.use(taken(running.pid))
            except (OSError, AttributeError):
                pass  # one of them has just ended
            time.sleep(0.002)


class Memory(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.report = Path(scratch.name, "report")
        self.program = shutil.copy(HUNGRY, Path(scratch.name, "hungry"))
        folder = Path(scratch.name, "cgroup")
        folder.mkdir()
        self.inside = way_in(folder)
        swaps = Path("/proc/swaps").read_text(encoding="ascii").splitlines()
        if len(swaps) > 1:
            self.skipTest("this machine has swap space: the kernel would move the program there")
        self.group = Group(folder)

    def run_program(self, megabytes, follow=True, form="-j"):
        command = [*self.inside, ARMPMU, "stat", form, "-e", "instructions,cycles", "--machine", "cortex-a8",
                   "-o", str(self.report), str(self.program), str(megabytes)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env=ENVIRONMENT) as running:
            over = threading.Event()
            follower = threading.Thread(target=self.group.follow, args=(running, over))
            if follow:
                follower.start()
            out, err = running.communicate()
            over.set()
            if follow:
                follower.join()
        return running.returncode, out, err

    def expect_end(self, status, out, err, what="was not counted to its end"):
        self.assertEqual((status, out), (125, ""), err)
        self.assertRegex(err, rf"^armpmu: the program ({what}): control group "
                              r"/ \(memory\.[a-z_]+\) has \d+ MiB of memory left of 384 MiB; .*: raise the "
                              r"limit, or set ARMPMU_CODE_MEMORY.*\n$")
        for entry in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                self.assertNotIn(str(self.program).encode(), entry.read_bytes())
            except OSError:
                pass

    def test_memory_without_end_ends_with_the_counts_so_far(self):
        self.expect_end(*self.run_program(0))
        lines = [json.loads(line) for line in self.report.read_text(encoding="utf-8").splitlines()]
        self.assertTrue(any(line.get("cut-short") for line in lines), lines)
        counts = [int(float(line["counter-value"])) for line in lines if "counter-value" in line]
        self.assertGreater(counts[0], 1_000_000)

    def test_the_text_says_that_it_is_partial(self):
        self.expect_end(*self.run_program(0, form="--no-big-num"))
        self.assertIn("The counting ended before the program did", self.report.read_text(encoding="utf-8"))

    def test_a_group_without_room_is_said_at_once(self):
        self.group.use(LIMIT - 4096)
        self.expect_end(*self.run_program(0, follow=False),
                        "was not started|was not counted|was not counted to its end")

    def test_enough_is_no_alarm(self):
        self.assertEqual(self.run_program(48), (0, "had enough\n", ""))
        self.assertNotIn("cut-short", self.report.read_text(encoding="utf-8"))

    def test_files_that_the_kernel_keeps_are_no_alarm(self):
        self.group.use(48 * MB, LIMIT - 48 * MB)
        self.assertEqual(self.run_program(16, follow=False), (0, "had enough\n", ""))


if __name__ == "__main__":
    unittest.main()
