"""What armpmu writes, where it cannot: full disks, limits, closed streams, files that are read too; and
names that a terminal would obey.

usage: outputs.py ARMPMU FIRMWARE MACHINES [PROGRAM]

FIRMWARE: an ELF file whose run accesses the monitor. PROGRAM: one for Arm Linux.
"""

import json
import os
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

FULL = "No space left on device"
CLOSED = "it is closed or not open for writing"
ODD = b"a\xff\x1b[31m\xc2\x9b\xc3\xa9"
ODD_SHOWN = "a\\xff\\x1b[31m\\xc2\\x9b\u00e9"


def limit_files(n_bytes):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, n_bytes))


class Outputs(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="armpmu-outputs-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.firmware = self.folder / "firmware.elf"
        shutil.copy(FIRMWARE, self.firmware)

    def armpmu(self, *words, shell=None, **more):
        """Runs the command; shell: a redirection, "2>&-"."""
        words = [os.fsencode(word) for word in (ARMPMU, *words)]
        if shell is not None:
            words = ["sh", "-c", f'exec "$@" {shell}', "sh", *words]
        more.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.run(words, cwd=self.folder, capture_output=True, check=False,
                              env={**os.environ, "ARMPMU_MACHINE_PATH": MACHINES}, **more)

    def assert_fails(self, run, *parts, status=125):
        self.assertEqual(run.returncode, status, run)
        for part in parts:
            self.assertIn(part, run.stderr.decode(), run)

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())


class Logs(Outputs):
    """--vcd and --trace-regs."""

    def test_a_full_disk_is_said(self):
        for option in ("--vcd=/dev/full", "--trace-regs=/dev/full"):
            for command in ("run", "stat"):
                run = self.armpmu(command, option, self.firmware)
                self.assert_fails(run, f"armpmu: cannot write /dev/full: {FULL}, it is not complete; "
                                  f"make room or choose another file with {option.split('=')[0]}\n")
                self.assertEqual(run.stderr.count(b"cannot write"), 1)
                self.assertEqual(b"CPU_CYCLES" in run.stderr, command == "stat")

    def test_a_limit_on_file_size_is_said(self):
        for option in ("--vcd=log", "--trace-regs=log"):
            run = self.armpmu("run", option, self.firmware, preexec_fn=limit_files(100))
            self.assert_fails(run, "armpmu: cannot write log: File too large, it is not complete")
            self.assertEqual((self.folder / "log").stat().st_size, 100)

    def test_a_program_finds_the_limits_signal_as_it_was(self):
        script = self.folder / "qemu"
        script.write_text("#!/bin/sh\ngrep -E 'Sig(Ign|Cgt|Blk)' /proc/self/status >seen\n")
        script.chmod(0o755)
        self.armpmu("guest", "--", script)
        for line in (self.folder / "seen").read_text().splitlines():
            self.assertEqual(int(line.split()[1], 16) & 1 << signal.SIGXFSZ - 1, 0, line)

    def test_the_same_file_twice_is_refused(self):
        machine = self.folder / "own.ini"
        shutil.copy(Path(MACHINES) / "cortex-a8.ini", machine)
        (self.folder / "link").symlink_to("firmware.elf")
        (self.folder / "later").symlink_to("new")
        os.link(self.firmware, self.folder / "hard")
        before = {name: (self.folder / name).read_bytes() for name in ("firmware.elf", "own.ini")}
        for words, names in (
                (["run", "--trace-regs=firmware.elf"], ("--trace-regs 'firmware.elf'", "the program")),
                (["run", "--trace-regs=link"], ("--trace-regs 'link'", "the program")),
                (["run", "--vcd=hard"], ("--vcd 'hard'", "the program")),
                (["stat", "--vcd=./firmware.elf"], ("--vcd", "the program")),
                (["stat", "-o", "link"], ("-o 'link'", "the program")),
                (["stat", "--append", "-o", "hard"], ("-o 'hard'", "the program")),
                (["run", "--machine=./own.ini", "--vcd=own.ini"], ("--vcd 'own.ini'", "the machine")),
                (["run", "--machine=own.ini", "--vcd=own.ini"], ("--vcd 'own.ini'", "the machine")),
                (["stat", "--machine=own.ini", "-o", "own.ini"], ("-o 'own.ini'", "the machine")),
                (["guest", "--machine=own.ini", "-o", "own.ini"], ("-o 'own.ini'", "the machine")),
                (["guest", "-o", "new", "--accesses=new"], ("--accesses 'new'", "-o")),
                (["run", "--vcd=new", "--trace-regs=./new"], ("'new'", "--trace-regs")),
                (["run", "--vcd=later", "--trace-regs=new"], ("'later'", "--trace-regs")),
                (["stat", "-o", "new", "--trace-regs=later"], ("'later'", "-o"))):
            with self.subTest(words):
                run = self.armpmu(*words, "firmware.elf")
                self.assert_fails(run, "armpmu: ", "is also the file of", *names)
                self.assertEqual({name: (self.folder / name).read_bytes() for name in before}, before)
                self.assertFalse((self.folder / "new").exists())

    def test_two_logs_may_share_what_is_no_file(self):
        run = self.armpmu("run", "--vcd=/dev/null", "--trace-regs=/dev/null", self.firmware)
        self.assertEqual((run.returncode, run.stderr), (0, b""))

    def test_a_log_stays_when_nothing_runs(self):
        for option in ("--vcd", "--trace-regs"):
            (self.folder / "log").write_text("old")
            run = self.armpmu("run", f"{option}=log", "absent.elf")
            self.assert_fails(run, "absent.elf", status=127)
            self.assertEqual((self.folder / "log").read_text(), "old")
            run = self.armpmu("run", f"{option}=log", self.firmware)
            self.assertEqual(run.returncode, 0, run)
            self.assertGreater((self.folder / "log").stat().st_size, 1000)

    def test_standard_output_is_gone_on_with(self):
        """Through another name too: its text stays."""
        for name in ("/dev/stdout", "log"):
            for words in (["run", f"--trace-regs={name}"], ["stat", "-e", "CPU_CYCLES", "-o", name]):
                (self.folder / "log").write_text("old\n")
                run = self.armpmu(*words, self.firmware, shell=">>log")
                self.assertEqual((run.returncode, run.stderr), (0, b""), run)
                text = (self.folder / "log").read_text()
                self.assertTrue(text.startswith("old\n"), text[:80])
                self.assertIn("PMNC" if words[0] == "run" else "CPU_CYCLES", text)


class Programs(Outputs):
    def test_what_is_no_file_does_not_block(self):
        os.mkfifo(self.folder / "fifo")
        (self.folder / "folder").mkdir()
        for name in ("fifo", "folder", "/dev/zero", "/dev/tty0"):
            if not Path(self.folder, name).exists():
                continue
            for words in (["run"], ["stat"], ["stat", "--engine=unicorn"], ["stat", "--engine=qemu"]):
                with self.subTest(name=name, words=words):
                    run = self.armpmu(*words, f"./{name}" if name[0] != "/" else name)
                    self.assert_fails(run, name, status=126)


class Streams(Outputs):
    def test_a_report_to_closed_standard_error_fails(self):
        """Before the program runs: its work is not lost."""
        run = self.armpmu("stat", "--trace-regs=log", self.firmware, shell="2>&-")
        self.assertEqual((run.returncode, run.stdout), (125, b""))
        self.assertFalse((self.folder / "log").exists())
        run = self.armpmu("stat", "-o", "report", self.firmware, shell="2>&-")
        self.assertEqual(run.returncode, 0)
        self.assertIn("CPU_CYCLES", (self.folder / "report").read_text())

    def test_closed_and_full_standard_output_are_said(self):
        printing = [["--help"], ["--version"], ["help", "stat"], ["list"], ["list", "-j"],
                    ["list", "machine"], ["list", "--format=md"], ["regs"], ["regs", "-j"],
                    ["regs", "decode", "cortex-a8", "PMNC", "1"], ["regs", "--format=md"],
                    ["calibrate", "--core=cortex-a8"]]
        printing += [[command, "--help"] for command in ("stat", "run", "guest", "list", "regs", "check",
                                                         "dtb", "calibrate", "completion", "help")]
        printing += [["help", "--man"], ["completion", "bash"], ["completion", "zsh"], ["completion", "fish"]]
        for words in printing:
            with self.subTest(words):
                self.assert_fails(self.armpmu(*words, shell=">&-"),
                                  f"armpmu: standard output: {CLOSED}; the text is not complete\n")
                self.assert_fails(self.armpmu(*words, shell=">/dev/full"),
                                  f"armpmu: standard output: {FULL}; the text is not complete\n")

    def test_a_command_that_prints_nothing_needs_no_streams(self):
        run = self.armpmu("run", self.firmware, shell=">&- 2>&- <&-")
        self.assertEqual(run.returncode, 0)

    def test_a_file_never_gets_the_number_of_a_closed_stream(self):
        run = self.armpmu("run", "--vcd=log", self.firmware, shell=">&- 2>&- <&-")
        self.assertEqual(run.returncode, 0)
        self.assertTrue((self.folder / "log").read_text().startswith("$comment"))

    def test_full_standard_error_fails(self):
        for words in (["stat"], ["stat", "-j"], ["stat", "-x,"], ["stat", "-I", "100c"],
                      ["run", "--trace-regs"], ["run", "--max-insns=10"]):
            with self.subTest(words):
                self.assertEqual(self.armpmu(*words, self.firmware, shell="2>/dev/full").returncode, 125)

    def test_a_pipe_without_a_reader_is_quiet(self):
        for words, which in ((["list"], 1), (["--help"], 1), (["stat", self.firmware], 2)):
            for ignored in (False, True):
                reader, writer = os.pipe()
                os.close(reader)
                action = signal.SIG_IGN if ignored else signal.SIG_DFL
                run = subprocess.run([ARMPMU, *words], stdin=subprocess.DEVNULL, check=False,
                                     stdout=writer if which == 1 else subprocess.PIPE,
                                     stderr=writer if which == 2 else subprocess.PIPE,
                                     restore_signals=False,
                                     preexec_fn=lambda a=action: signal.signal(signal.SIGPIPE, a))
                os.close(writer)
                self.assertEqual(run.returncode, 125 if ignored else -signal.SIGPIPE, (words, run))
                self.assertFalse(run.stderr if which == 1 else run.stdout)


class Reports(Outputs):
    def test_a_report_that_does_not_fit_leaves_the_old_file(self):
        for words in ([], ["-j"], ["-x,"]):
            report = self.folder / "report"
            report.write_text("old")
            report.chmod(0o640)
            before = self.files()
            run = self.armpmu("stat", *words, "-o", "report", self.firmware, preexec_fn=limit_files(64))
            self.assert_fails(run, "armpmu: cannot write report: File too large; choose another file")
            self.assertEqual(report.read_text(), "old")
            self.assertEqual(self.files(), before)
            run = self.armpmu("stat", *words, "--append", "-o", "report", self.firmware,
                              preexec_fn=limit_files(64))
            self.assert_fails(run, "armpmu: cannot write report: File too large")
            self.assertEqual(report.read_text(), "old")

    def test_intervals_that_do_not_fit_are_said_not_to_be_whole(self):
        """They are written as they come: what came before an interrupt is kept."""
        (self.folder / "report").write_text("old")
        run = self.armpmu("stat", "-I", "100c", "-o", "report", self.firmware, preexec_fn=limit_files(64))
        self.assert_fails(run, "armpmu: cannot write report: File too large, it is not complete; choose another file")

    def test_a_fifo_is_written_directly(self):
        os.mkfifo(self.folder / "fifo")
        reader = subprocess.Popen(["cat", "fifo"], cwd=self.folder, stdout=subprocess.PIPE)
        run = self.armpmu("stat", "-o", "fifo", self.firmware)
        text = reader.communicate()[0]
        self.assertEqual(run.returncode, 0, run)
        self.assertIn(b"CPU_CYCLES", text)
        self.assertTrue(stat.S_ISFIFO((self.folder / "fifo").stat().st_mode))


class Names(Outputs):
    """Of the user's, in bytes that a terminal obeys or that are no UTF-8."""

    def test_an_events_name_is_shown(self):
        events = b"cpu/CPU_CYCLES,name=" + ODD + b"/"
        text = self.armpmu("stat", "-e", events, self.firmware).stderr.decode()
        self.assertIn(ODD_SHOWN, text)
        text = self.armpmu("stat", "-x;", "-e", events, self.firmware).stderr.decode()
        self.assertEqual(text.split(";")[2], ODD_SHOWN)
        line = self.armpmu("stat", "-j", "-e", events, self.firmware).stderr
        self.assertEqual(json.loads(line)["event"], ODD_SHOWN)

    def test_a_wrong_name_is_shown(self):
        for words in (["stat", "-e", ODD, "x"], ["list", ODD], ["regs", ODD], [ODD],
                      ["run", b"./" + ODD], ["run", "--machine", b"./" + ODD, "x"],
                      ["calibrate", "--read", ODD, "--name=x"], ["calibrate", "--core", ODD],
                      ["dtb", ODD, "out", "--core=cortex-a8", "--irq=spi:1"]):
            with self.subTest(words):
                run = self.armpmu(*words)
                self.assertIn(ODD_SHOWN, run.stderr.decode())
                self.assertNotIn(b"\x1b", run.stderr)
                self.assertIn(run.returncode, (125, 126, 127))

    def test_a_programs_name_is_shown(self):
        program = os.path.join(os.fsencode(self.folder), ODD)
        for source in (FIRMWARE, *PROGRAM):
            shutil.copy(source, program)
            words = ["-e", "CPU_CYCLES", program, *(["status", "0"] if source != FIRMWARE else [])]
            text = self.armpmu("stat", *words).stderr.decode()
            self.assertIn(ODD_SHOWN, text.split("Counts for")[1].splitlines()[0])
            line = self.armpmu("stat", "-j", "--per-thread", *words).stderr.splitlines()[-1]
            self.assertEqual(json.loads(line)["thread"], ODD_SHOWN + "-1.1")
            text = self.armpmu("stat", "-x;", "--per-thread", *words).stderr.decode()
            self.assertEqual(text.splitlines()[-1].split(";")[0], ODD_SHOWN + "-1.1")

    def test_a_symbol_is_shown(self):
        content = Path(FIRMWARE).read_bytes()
        names = (b"next", b"start", b"behind")
        name = next(name for name in names if b"\0" + name + b"\0" in content)
        odd = (b"\x1b[31m" + name)[:len(name)]
        self.firmware.write_bytes(content.replace(b"\0" + name + b"\0", b"\0" + odd + b"\0"))
        run = self.armpmu("run", "--trace-regs", "--max-insns=100", self.firmware)
        self.assertNotIn(b"\x1b", run.stderr)
        self.assertIn(b"\\x1b", run.stderr)

    def test_a_machines_title_is_shown(self):
        text = (Path(MACHINES) / "cortex-a8.ini").read_text()
        begin = text.index("title")
        end = text.index("\n", begin)
        (self.folder / "odd.ini").write_bytes(text[:begin].encode() + b"title = " + ODD.replace(b"\x1b", b"\x7f") +
                                              text[end:].encode())
        for words in (["list", "machine"], ["list", "-v", "machine"], ["list", "-j", "machine"]):
            run = subprocess.run([ARMPMU, *words], capture_output=True, check=False,
                                 env={**os.environ, "ARMPMU_MACHINE_PATH": self.folder})
            shown = ODD_SHOWN.replace("\\x1b", "\\x7f")
            if "-j" in words:
                self.assertIn(shown, [json.loads(line)["Title"] for line in run.stdout.splitlines()])
            else:
                self.assertIn(shown, run.stdout.decode())


if __name__ == "__main__":
    ARMPMU, FIRMWARE, MACHINES = (str(Path(word).resolve()) for word in sys.argv[1:4])
    PROGRAM = [str(Path(word).resolve()) for word in sys.argv[4:]]
    unittest.main(argv=sys.argv[:1])
