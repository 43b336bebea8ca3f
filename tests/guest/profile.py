"""`armpmu record --guest` of bare-metal programs: what it adds up to, where it happens, how it ends.

usage: profile.py ARMPMU PLUGIN PROGRAMS

PROGRAMS: the folder of programs built from bare/. BUILD as for command.py, whose machine these run in. Skipped (77)
without a QEMU that is new enough.
"""

import json
import signal
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import command as guests
import qemu11

# Of bare/modes.S: its instructions in each mode.
PRIVILEGED, USER = 2017, 2003


class Profile(unittest.TestCase):
    def setUp(self):
        # pylint: disable-next=consider-using-with
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data = Path(folder.name) / "armpmu.data"
        self.run_with = guests.Command(ARMPMU, PLUGIN, PROGRAMS, PATH)

    def call(self, words):
        return subprocess.run([ARMPMU, *words], stdin=subprocess.DEVNULL, text=True, capture_output=True,
                              env=self.run_with.environment, timeout=guests.SECONDS, check=False)

    def record(self, program, *options, machine=()):
        done = self.call(["record", "--guest", "-q", "-o", self.data, *options, "--",
                          *self.run_with.machine(program, *machine)])
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        return done

    def query(self, sql):
        database = sqlite3.connect(self.data)
        rows = database.execute(sql).fetchall()
        database.close()
        return rows

    def kernel(self, program):
        return ["--kernel", PROGRAMS / f"{program}.elf"]

    def totals_of_guest(self, program):
        done = self.call(["guest", "-j", "-e", "all", "--", *self.run_with.machine(program)])
        rows = [json.loads(line) for line in done.stderr.splitlines() if '"event"' in line]
        return {row["event"]: int(row["counter-value"]) for row in rows
                if row["mode"] == "all" and row["counter-value"].isdigit()}

    def test_rows_add_up_to_what_the_machine_did(self):
        for program in ["modes", "windows", "memory", "maintenance"]:
            for option in [[], ["-g"]]:
                with self.subTest(program, option=option):
                    wanted = self.totals_of_guest(program)
                    self.record(program, "-e", "all", *option, *self.kernel(program))
                    found = dict(self.query("SELECT name, n FROM total JOIN event ON event = id"))
                    self.assertEqual(wanted, {name: found[name] for name in wanted})
                    self.assertGreater(found["INST_RETIRED"], 100)
                    summed = dict(self.query("SELECT name, sum(n) FROM count JOIN event ON event = id GROUP BY name"))
                    self.assertEqual({name: n for name, n in found.items() if n}, summed)

    def test_accesses_add_up_to_what_the_machine_did(self):
        for program in ["modes", "windows", "memory", "maintenance"]:
            with self.subTest(program):
                self.record(program, "-e", "all", *self.kernel(program))
                before = self.query("SELECT name, n FROM total JOIN event ON event = id")
                self.record(program, "-e", "all", "--mem", *self.kernel(program))
                self.assertEqual(before, self.query("SELECT name, n FROM total JOIN event ON event = id"))
                totals = dict(before)
                sums = self.query("SELECT sum(lookups), sum(refills), sum(tlb_refills) FROM access")[0]
                self.assertEqual(tuple(n or 0 for n in sums),
                                 (totals["L1D_CACHE"], totals["L1D_CACHE_REFILL"], totals["L1D_TLB_REFILL"]))

    def test_devices_have_names(self):
        printed = len(self.record("memory", "-e", "L1D_CACHE", "--mem", *self.kernel("memory")).stdout)
        self.assertEqual([("device", 2, printed)], self.query(
            "SELECT source, kind, sum(n) FROM access JOIN datum ON datum.id = datum WHERE name = 'device at 0x9000000' GROUP BY 1, 2"))

    def test_accesses_are_of_their_address_space(self):
        self.call(["record", "--guest", "-q", "-o", self.data, "-e", "L1D_CACHE", "--mem", *self.kernel("accesses"), "--",
                   *self.run_with.machine("accesses")])
        self.assertEqual([("0x40000000", "uncached", "none", 600), ("0x40010000", "uncached", "none", 1800)], self.query(
            "SELECT t.name, source, tlb, sum(n) FROM access a JOIN datum d ON d.id = a.datum JOIN thread t ON t.id = a.thread "
            "WHERE d.name = 'walked' GROUP BY 1, 2, 3"))

    def test_functions_are_those_of_the_kernels_file(self):
        self.record("modes", "-e", "INST_RETIRED", *self.kernel("modes"))
        found = dict(self.query("SELECT function, n FROM by_function"))
        self.assertEqual({"_start": PRIVILEGED - 3, "user": USER, "vectors": 1, "off": 2}, found)
        self.assertEqual([("CPU0", 0, 0)], self.query("SELECT name, process, thread FROM thread"))
        self.assertEqual([("guest", 1)], self.query(
            "SELECT (SELECT value FROM meta WHERE key = 'engine'), value FROM meta WHERE key = 'is_complete'"))

    def test_code_without_a_file_has_addresses(self):
        self.record("modes", "-e", "INST_RETIRED")
        self.assertEqual([("[kernel]", PRIVILEGED + USER)],
                         self.query("SELECT object, sum(n) FROM by_function GROUP BY object"))

    def test_call_paths_go_through_exceptions(self):
        self.record("windows", "-g", "-e", "INST_RETIRED", *self.kernel("windows"))
        paths = self.query("SELECT o.name, f.name, p.calls FROM path p JOIN function f ON f.id = p.function "
                           "LEFT JOIN path q ON q.id = p.parent LEFT JOIN function o ON o.id = q.function")
        self.assertIn(("work", "leaf"), [path[:2] for path in paths])
        self.assertIn((None, "vectors"), [path[:2] for path in paths])

    def test_programs_without_tasks_are_address_spaces(self):
        done = self.call(["record", "--guest", "-q", "-o", self.data, "-e", "INST_RETIRED", "--",
                          *self.run_with.machine("spaces")])
        self.assertEqual((0, "armpmu: no task of a Linux kernel was recognised: programs are distinguished by their address spaces only\n"), (done.returncode, done.stderr))
        found = dict(self.query("SELECT object, sum(n) FROM by_function GROUP BY object"))
        self.assertEqual({"[space 0x40000000]": 602, "[space 0x40010000]": 1802},
                         {name: n for name, n in found.items() if name != "[kernel]"})

    def test_processors_are_threads(self):
        self.record("processors", "-e", "INST_RETIRED", machine=["-smp", "2"])
        found = dict(self.query("SELECT name, n FROM by_thread"))
        self.assertEqual({"CPU0", "CPU1"}, set(found))
        self.assertGreater(found["CPU1"], 1400)

    def test_an_interrupt_leaves_a_whole_file(self):
        machine = self.run_with.machine("endless")
        # pylint: disable-next=consider-using-with
        run = subprocess.Popen([ARMPMU, "record", "--guest", "-o", self.data, *self.kernel("endless"), "--", *machine],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=self.run_with.environment, preexec_fn=guests.ignore_no_interrupt)
        self.assertEqual("x", run.stdout.read(1))
        run.send_signal(signal.SIGINT)
        said = run.communicate(timeout=guests.SECONDS)[1]
        self.assertEqual(128 + signal.SIGINT, run.returncode, said)
        self.assertIn("not to the program's end ]", said)
        self.assertEqual([("_start",)], self.query("SELECT DISTINCT function FROM by_function"))
        self.assertEqual([(0,)], self.query("SELECT value FROM meta WHERE key = 'is_complete'"))

    def test_without_a_report_nothing_is_written(self):
        # pylint: disable-next=consider-using-with
        run = subprocess.Popen([ARMPMU, "record", "--guest", "-o", self.data, "--",
                                *self.run_with.machine("endless", "-pidfile", self.data.with_name("pid"))],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=self.run_with.environment)
        self.assertEqual("x", run.stdout.read(1))
        subprocess.run(["kill", "-9", self.data.with_name("pid").read_text().strip()], check=True)
        said = run.communicate(timeout=guests.SECONDS)[1]
        self.assertIn("QEMU was killed by SIGKILL before it reported a profile: nothing is written", said)
        self.assertNotEqual(0, run.returncode)
        self.assertFalse(self.data.exists())


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for what runs in the background
    PATH = qemu11.path()
    ARMPMU, PLUGIN, PROGRAMS = (Path(word).resolve() for word in sys.argv[1:4])
    del sys.argv[1:]
    unittest.main()
