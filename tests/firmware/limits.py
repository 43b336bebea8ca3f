"""A run of firmware ends by its limits wherever its code lies: --max-insns, --timeout, an interrupt.

usage: limits.py ARMPMU COMPILER...    the words of a compiler for bare-metal programs
"""

import json
import os
import pty
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.extend(str(Path(__file__).resolve().parents[1] / folder) for folder in ("", "cli"))
from patience import longer_and_longer  # noqa: E402
from terminal import shown_on  # noqa: E402

ARMPMU, *COMPILER = sys.argv[1:]
del sys.argv[1:]

CORES = ("cortex-a8", "cortex-r4f", "pxa255")
HEAD = ".syntax unified\n.arm\n.global start\n.type start, %function\nstart:\n"
EXIT = " mov r0, #0x18\n ldr r1, =0x20026\n svc 0x123456\n.ltorg\n"
# The loop is translated a second time once it has run often, without hooks at its loads.
LOADS = "1: ldr r0, [r1]\n add r2, r2, #1\n cmp r2, #0x4000\n bne 1b\n"
ENDLESS_LOADS = "1: ldr r0, [r1]\n add r2, r2, #1\n b 1b\n"


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder, self.n_built = tempfile.TemporaryDirectory(), 0
        self.addCleanup(self.folder.cleanup)

    def build(self, text, address):
        self.n_built += 1
        source, elf = (Path(self.folder.name, f"{self.n_built}{end}") for end in (".S", ".elf"))
        source.write_text(HEAD + text, encoding="ascii")
        subprocess.run([*COMPILER, f"-Wl,-Ttext={address:#x},-estart", source, "-o", elf], check=True)
        return str(elf)


def run(*words):
    done = subprocess.run([ARMPMU, *words], text=True, check=False, stdin=subprocess.DEVNULL,
                          capture_output=True)
    return done.returncode, done.stdout, done.stderr


def n_executed(err):
    """What a run that was ended says."""
    found = re.search(r"after (\d+) instructions", err)
    return int(found[1]) if found else None


class FullDisk(Folder):
    def test_a_file_that_cannot_be_written_ends_it(self):
        """It never ends by itself."""
        elf = self.build(" mvn r0, #0\n1: mcr p15, 0, r0, c9, c12, 1\n mcr p15, 0, r0, c9, c12, 2\n b 1b\n", 0x8000)
        for words in (["--vcd=/dev/full"], ["--trace-regs=/dev/full"], ["-I", "1", "-o", "/dev/full"]):
            with self.subTest(words):
                status, out, err = run("stat", "--max-insns=1000G", *words, elf)
                self.assertEqual((status, out), (125, ""), err)
                self.assertIn("\narmpmu: cannot write /dev/full: No space left on device", "\n" + err)
                self.assertEqual(err.count("armpmu: "), 1, err)


class AtAddressZero(Folder):
    """Address 0 is an address as any other."""

    def insns(self, machine, elf):
        status, _, err = run("stat", "--engine", "unicorn", "--machine", machine, "--timeout", "600", "-j", "-e",
                             "CPU_CYCLES" if machine == "pxa255" else "INST_RETIRED", elf)
        self.assertEqual(status, 0, err)
        return float(json.loads(err.splitlines()[0])["counter-value"])

    def test_a_loop_that_begins_with_a_load_ends(self):
        for machine in CORES:
            with self.subTest(machine):
                there, elsewhere = (self.insns(machine, self.build(LOADS + EXIT, address))
                                    for address in (0, 0x8000))
                self.assertEqual(there, elsewhere)

    def test_limits_hold(self):
        elf = self.build(ENDLESS_LOADS, 0)
        for machine in CORES:
            for words, reason in ((("--max-insns", "100000"), "the limit of 100000 instructions"),
                                  (("--timeout", "0.3"), "the time limit of 0.3 seconds is over")):
                with self.subTest(machine, words=words):
                    status, _, err = run("run", "--machine", machine, *words, elf)
                    self.assertEqual(status, 124, err)
                    self.assertIn(reason, err)


class Progress(Folder):
    """A run of seconds says on a terminal how far it is."""

    def on_terminal(self, *words, until=None, **variables):
        """Its status and what it showed; it is interrupted when that matches."""
        master, terminal = pty.openpty()
        with subprocess.Popen([ARMPMU, *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=terminal,
                              env=os.environ | variables) as run_:
            shown = b""
            while until and not re.search(until, shown.decode(errors="replace"), re.DOTALL):
                shown += os.read(master, 4096)
            if until:
                run_.send_signal(signal.SIGINT)
            shown += shown_on(master, terminal, run_)
        os.close(master)
        return run_.returncode, shown.decode()

    def test_line_of_progress(self):
        elf = self.build(ENDLESS_LOADS, 0x8000)
        common = ("--machine", "cortex-a8")
        data = f"{self.folder.name}/data"
        line = r"\r\x1b\[Karmpmu: \d+ s, ([\d.]+) ms simulated, ([\d.]+) M insns, [\d.]+ M insns/s\r"
        for words in (("stat", "--engine", "unicorn", *common, "-e", "cycles", elf),
                      ("record", "--engine", "unicorn", *common, "-o", data, elf)):
            with self.subTest(words[0]):
                status, shown = self.on_terminal(*words, until=f"{line}.*{line}", TERM="xterm")
                found = re.findall(line, shown)
                self.assertEqual(status, 130, shown)
                for column in zip(*found):
                    values = [float(value) for value in column]
                    self.assertEqual(values, sorted(values))
                    self.assertGreater(values[0], 0)
                self.assertNotIn("insns/s", shown[shown.rindex("\x1b[K"):])  # the line is gone at the end
        for words, term in ((("-q",), "xterm"), ((), "dumb")):
            words = ("stat", "--engine", "unicorn", *common, "--timeout", "2.5", *words, elf)
            self.assertNotIn("insns/s", self.on_terminal(*words, TERM=term)[1])


CALL = " mov r0, #{number}\n adr r1, 9f\n svc 0x123456\n"
# Opens the console and reads a byte of it, then ends.
READ = (" mov r0, #1\n adr r1, 8f\n svc 0x123456\n adr r1, 9f\n str r0, [r1]\n mov r0, #6\n"
        " svc 0x123456\n")
OPENED = "8: .word 7f, 0, 3\n9: .word 0, 6f, 1\n6: .word 0\n7: .asciz \":tt\"\n.balign 4\n"
DEVICE = " ldr r1, =0xff000800\n ldr r0, [r1]\n"
# Writes until nobody takes it.
WRITE = "1: mov r0, #3\n adr r1, 9f\n svc 0x123456\n b 1b\n9: .ascii \"x\"\n.balign 4\n"
WRITE_DEVICE = " ldr r1, =0xff000800\n1: str r0, [r1]\n b 1b\n.ltorg\n"
WAITS = {
    "SYS_READC": CALL.format(number=7) + EXIT + "9: .word 0\n",
    "SYS_READ": READ + EXIT + OPENED,
    "a load from the console": DEVICE + EXIT,
    "SYS_WRITEC": WRITE,
    "a store to the console": WRITE_DEVICE,
}


def is_waiting(pid):
    """Whether it catches SIGINT and each of its threads waits, as seen for a while."""
    for _ in range(10):
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
        caught = int(re.search(r"SigCgt:\s+(\w+)", status)[1], 16)
        states = [re.search(r"State:\s+(\w)", task.read_text(encoding="ascii"))[1]
                  for task in Path(f"/proc/{pid}/task").glob("*/status")]
        if not caught >> signal.SIGINT - 1 & 1 or set(states) != {"S"}:
            return False
        time.sleep(0.02)
    return True


def wait_until_it_waits(process):
    while process.poll() is None and not is_waiting(process.pid):
        time.sleep(0.05)


class Waiting(Folder):
    """Firmware that waits for the host ends by time and by an interrupt, and continues by input."""

    def start(self, elf, *words):
        return subprocess.Popen([ARMPMU, "stat", "--engine", "unicorn", "-e", "instructions", *words, elf],
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    def ends(self, process, status, reason):
        """And how many instructions it began."""
        process.wait()
        err = process.stderr.read().decode()
        for pipe in (process.stdin, process.stdout, process.stderr):
            pipe.close()
        self.assertEqual(process.returncode, status, err)
        self.assertIn(reason, err)
        self.assertRegex(err, r"\d+ +INST_RETIRED")
        return n_executed(err)

    def test_time(self):
        for name, text in WAITS.items():
            with self.subTest(name):
                elf = self.build(text, 0x8000)
                for seconds in longer_and_longer(0.5):
                    if self.ends(self.start(elf, "--timeout", str(seconds)), 124, f"the time limit of {seconds:g} seconds is over") > 0:
                        break

    def test_interrupt(self):
        processes = {(name, limit): self.start(self.build(text, 0x8000), *limit)
                     for name, text in WAITS.items() for limit in ((), ("--timeout", "600"))}
        for case, process in processes.items():
            with self.subTest(case):
                wait_until_it_waits(process)
                process.send_signal(signal.SIGINT)
                self.ends(process, 130, "interrupted")

    def test_input(self):
        for name in ("SYS_READC", "SYS_READ", "a load from the console"):
            with self.subTest(name):
                process = self.start(self.build(WAITS[name], 0x8000), "--timeout", "600")
                wait_until_it_waits(process)
                process.stdin.write(b"x")
                process.stdin.flush()
                self.ends(process, 0, "INST_RETIRED")


class NewCode(Folder):
    """Time counts while code executes for the first time, which is when a block takes longest."""

    def executed(self, elf, *limit):
        """Instructions, and seconds of processor time."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        status, _, err = run("run", *limit, elf)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual(status, 124, err)
        return n_executed(err), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def test_time(self):
        """It executes no more than this computer, slow or fast, can in five times the time."""
        source = ".rept 4000\n.rept 200\n ldrne r0, [r1]\n.endr\n b .+4\n.endr\n"
        elf = self.build(source, 0x8000)
        n, seconds = self.executed(elf, "--max-insns", "200000")
        in_time, _ = self.executed(elf, "--timeout", "0.5")
        self.assertLess(in_time * seconds / n, 5 * 0.5)


class Memory(Folder):
    """A limit of address space lets a program run, or refuses it with a message."""

    def run_within(self, n_bytes, *words):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (n_bytes, n_bytes))

        return subprocess.run([ARMPMU, *words], text=True, check=False, stdin=subprocess.DEVNULL,
                              capture_output=True, preexec_fn=limit)

    def test_part_of_the_program(self):
        elf = self.build(EXIT + ".space 8192\n", 0x8000)
        for ram in ("0x8000:4K", "0x9000:8K", "0x9000:4K"):
            status, _, err = run("run", "--ram", ram, elf)
            self.assertEqual(status, 125, err)
            self.assertIn("has only a part of the program's 0x", err)
        for ram in ("0x7000:16K", "0xb000:8K"):
            status, _, err = run("run", "--ram", ram, elf)
            self.assertEqual(status, 0, err)

    def test_sweep(self):
        elf = self.build(".rept 40\n.rept 200\n ldrne r0, [r1]\n.endr\n b .+4\n.endr\n" + EXIT, 0x8000)
        # Below the size of its file the kernel ends it.
        sizes = [*range(8, 96, 6), *range(100, 1100, 200), *range(1140, 1260, 6), 1500]
        sizes = sizes if "ARMPMU_TEST_LONG" in os.environ else sizes[::3]
        ends = {}
        for mib in sizes:
            done = self.run_within(mib << 20, "run", elf)
            with self.subTest(mib=mib):
                if done.returncode == 127:  # the loader's, before armpmu begins
                    self.assertRegex(done.stderr, "error while loading shared libraries")
                elif done.returncode != 0:
                    self.assertEqual(done.returncode, 125, done.stderr)
                    self.assertRegex(done.stderr, "^armpmu: .*(memory|address space)")
            ends[done.returncode] = ends.get(done.returncode, 0) + 1
        self.assertGreater(ends[0], 0)
        self.assertGreater(ends[125], 0)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for what runs in the background
    unittest.main()
