"""`armpmu run --gdb`: a small client stops the program, looks at it, changes it; counts are those of a run without.

usage: gdb.py ARMPMU COMPILER COMPILER64 [MACHINE ELF]...    programs whose counts are compared
"""
import json
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

from remote import Remote

sys.path.append(str(Path(__file__).resolve().parents[1]))
from patience import longer_and_longer  # noqa: E402

ARMPMU, COMPILER, COMPILER64 = [str(Path(word).resolve()) for word in sys.argv[1:4]]
PROGRAMS = list(zip(sys.argv[4::2], sys.argv[5::2]))
del sys.argv[1:]

WORDS = ["-nostdlib", "-static", "-no-pie", "-g", "-Wl,-Ttext=0x8000,-estart,--build-id=none"]
EXIT = " ldr r1, =0xff000804\n str r0, [r1]\n b .\n.ltorg\n"
# start 0x8000; loop 0x8008
LOOP = (".syntax unified\n.arm\n.global start\n.type start, %function\nstart: mov r0, #0\n mov r2, #10\n"
        ".global loop\nloop: add r0, r0, r2\n str r0, [sp]\n ldr r3, [sp]\n subs r2, r2, #1\n bne loop\n"
        ".global done\ndone:" + EXIT)
PC, CPSR, PC64 = 15, 25, 32


class Folder(unittest.TestCase):
    def setUp(self):
        # pylint: disable-next=consider-using-with
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def build(self, text, *words, compiler=COMPILER):
        (self.folder / "program.S").write_text(text, encoding="ascii")
        subprocess.run([compiler, *WORDS, *words, "program.S", "-o", "program.elf"], cwd=self.folder, check=True)

    def start(self, *words, command="run", acks=False, place=":0", program="program.elf"):
        remote = Remote([ARMPMU, command, "--timeout", "600", "--gdb", place, *words, str(program)], self.folder, acks)
        self.addCleanup(remote.stop)
        return remote


class Protocol(Folder):
    def setUp(self):
        super().setUp()
        self.build(LOOP)

    def test_it_stands_before_the_first_instruction(self):
        remote = self.start(acks=True)
        self.assertEqual(remote.host, "127.0.0.1")
        self.assertIn("PacketSize=1000;qXfer:features:read+;QStartNoAckMode+", remote.ask("qSupported:xmlRegisters=arm"))
        self.assertEqual(remote.ask("?"), "T05thread:1;")
        self.assertEqual((remote.register(PC), remote.register(CPSR)), (0x8000, 0x1d3))
        self.assertEqual(remote.ask("c"), "W37")
        self.assertEqual(remote.end(), (55, "", ""))

    def test_the_description_is_that_of_its_registers(self):
        remote, text = self.start(), ""
        while not text.startswith("l"):
            part = remote.ask(f"qXfer:features:read:target.xml:{max(len(text) - 1, 0):x},40")
            text = part[0] + text[1:] + part[1:]
        target = xml.etree.ElementTree.fromstring(text[1:].replace("<!DOCTYPE target SYSTEM \"gdb-target.dtd\">", ""))
        registers = target.find("feature").findall("reg")
        self.assertEqual(len(remote.ask("g")), sum(int(reg.get("bitsize")) for reg in registers) // 4)
        self.assertEqual(remote.ask("qXfer:features:read:other.xml:0,40"), "E00")
        self.assertEqual(remote.ask("c"), "W37")

    def test_breakpoints_and_steps(self):
        remote = self.start()
        self.assertEqual(remote.ask("Z0,8008,4"), "OK")
        for n in range(10):
            self.assertEqual(remote.ask("c"), "T05thread:1;")
            self.assertEqual((remote.register(PC), remote.register(2)), (0x8008, 10 - n))
        self.assertEqual(remote.ask("s"), "T05thread:1;")
        self.assertEqual(remote.register(PC), 0x800c)
        self.assertEqual(remote.ask("vCont;s:1"), "T05thread:1;")
        self.assertEqual(remote.register(PC), 0x8010)
        self.assertEqual(remote.ask("z0,8008,4"), "OK")
        self.assertEqual(remote.ask("vCont;c"), "W37")
        self.assertEqual(remote.end()[0], 55)

    def test_registers_and_memory_can_be_changed(self):
        remote = self.start()
        self.assertEqual(remote.ask("m8000,8"), "0000a0e30a20a0e3")
        self.assertEqual(remote.ask("M8004,1:03"), "OK")  # mov r2, #3: code
        self.assertEqual(remote.ask(b"X20000,4:}\x03}\x04}\x0a}]"), "OK")
        self.assertEqual(remote.ask("m20000,4"), "23242a7d")
        self.assertEqual(remote.ask("Z0,8008,4"), "OK")
        remote.ask("c")
        self.assertEqual(remote.register(2), 3)
        self.assertEqual(remote.ask("P0=64000000"), "OK")
        everything = remote.ask("g")
        self.assertEqual(everything[:8], "64000000")
        self.assertEqual(remote.ask("G" + "65000000" + everything[8:]), "OK")
        self.assertEqual(remote.ask("z0,8008,4"), "OK")
        self.assertEqual(remote.ask("c"), "W%02x" % (101 + 6))

    def test_memory_that_is_not_there(self):
        remote = self.start()
        for packet in ("m90000000,4", "mff000800,4", "M90000000,1:00", "mfffffffffffffff0,40", "m3fffffe,8000000"):
            self.assertEqual(remote.ask(packet), "E0e", packet)
        self.assertEqual(remote.ask("m8000,0"), "")

    def test_it_goes_on_elsewhere(self):
        remote = self.start()
        self.assertEqual(remote.ask("Z0,8010,4"), "OK")
        remote.ask("c")
        self.assertEqual(remote.ask("Pf=1c800000"), "OK")  # done
        self.assertEqual(remote.register(PC), 0x801c)
        self.assertEqual(remote.ask("s"), "T05thread:1;")
        self.assertEqual(remote.register(PC), 0x8020)
        self.assertEqual(remote.ask("c"), "W0a")

    def test_watchpoints(self):
        remote = self.start()
        sp = remote.register(13)
        for kind, name, after in ((2, "watch", 0x8010), (3, "rwatch", 0x8014), (4, "awatch", 0x8010)):
            self.assertEqual(remote.ask(f"Z{kind},{sp:x},4"), "OK")
            self.assertEqual(remote.ask("c"), f"T05thread:1;{name}:{sp:x};")
            self.assertEqual(remote.register(PC), after)
            self.assertEqual(remote.ask(f"z{kind},{sp:x},4"), "OK")
        self.assertEqual(remote.ask("c"), "W37")

    def test_threads_there_is_one(self):
        remote = self.start()
        self.assertEqual([remote.ask(word) for word in ("qC", "qfThreadInfo", "qsThreadInfo", "Hg1", "T1", "qAttached",
                                                        "vCont?")], ["QC1", "m1", "l", "OK", "OK", "1", "vCont;c;C;s;S"])

    def test_what_is_not_known_is_answered_with_nothing(self):
        remote = self.start()
        for packet in ("!", "qOther", "vMustReplyEmpty", "vFlashErase:0,4", "Z9,0,4", "_", "", "R00", "bs"):
            self.assertEqual(remote.ask(packet), "", packet)

    def test_what_makes_no_sense_is_an_error(self):
        remote = self.start()
        for packet in ("m", "mx,4", "m8000", "m8000,4,4", "Z0", "Z0,x", "M8000,4:00", "M8000,1:0g", "X8000,4:a", "pff", "p",
                       "P0", "P0=00", "Pfe=00000000", "G00", "cx", "m10000000000000000,4", "vCont;t"):
            self.assertRegex(remote.ask(packet), "^E..$|^$", packet)
        remote.send(b"m" * 9000)
        self.assertEqual(remote.packet(), "E1b")
        for i in range(64):
            self.assertEqual(remote.ask(f"Z0,{0x9000 + 4 * i:x},4"), "OK")
        self.assertEqual(remote.ask("Z0,9800,4"), "E1c")
        self.assertEqual(remote.ask("c"), "W37")

    def test_packets_that_are_broken_are_asked_for_again(self):
        remote = self.start(acks=True)
        remote.socket.sendall(b"noise$?#00")
        self.assertEqual(remote.byte(), b"-")
        remote.socket.sendall(b"$?#zz")
        self.assertEqual(remote.byte(), b"-")
        self.assertEqual(remote.ask("?"), "T05thread:1;")
        remote.socket.sendall(b"-")  # the answer again
        self.assertEqual(remote.packet(), "T05thread:1;")
        remote.socket.sendall(b"$m80$?#3f")
        self.assertEqual(remote.packet(), "T05thread:1;")

    def test_monitor(self):
        remote = self.start()
        self.assertIn("monitor pmu", remote.monitor("help"))
        self.assertRegex(remote.monitor("reset"), "^'reset' is not a command of armpmu:\nmonitor pmu")
        self.assertRegex(remote.monitor("pmu"), r"^CCNT +0  CPU_CYCLES, not enabled\nPMCNT0 ")

    def test_monitor_pmu_names_events(self):
        self.build(".syntax unified\n.arm\n.global start\nstart: mov r0, #8\n mcr p15, 0, r1, c9, c12, 5\n"
                   " mcr p15, 0, r0, c9, c13, 1\n mov r0, #1\n mcr p15, 0, r0, c9, c12, 1\n mov r0, #1\n"
                   " mcr p15, 0, r0, c9, c12, 0\n mov r2, #10\n1: subs r2, r2, #1\n bne 1b\n.global done\ndone: mov r0, #0\n" + EXIT)
        remote = self.start("--machine", "cortex-a8")
        remote.ask("Z0,8028,4")
        remote.ask("c")
        self.assertRegex(remote.monitor("pmu"), r"\nPMCNT0 +2[0-9]  INST_RETIRED\n")
        self.assertEqual(remote.ask("c"), "W00")


class Ends(Folder):
    def test_detach(self):
        self.build(LOOP)
        remote = self.start()
        remote.ask("Z0,8008,4")
        self.assertEqual(remote.ask("D"), "OK")
        self.assertEqual(remote.end()[0], 55)

    def test_kill(self):
        self.build(LOOP)
        remote = self.start()
        remote.send("k")
        status, _, err = remote.end()
        self.assertEqual(status, 128 + 9)
        self.assertIn("killed by gdb", err)

    def test_a_client_that_goes(self):
        self.build(LOOP)
        for last in (b"", b"$m80", b"$c#63"):
            remote = self.start()
            remote.ask("Z0,8010,4")
            remote.socket.sendall(last)
            remote.socket.close()
            status, _, err = remote.end()
            self.assertEqual((status, err), (55, "armpmu: gdb disconnected; the program continues without it\n"))

    def test_an_interrupt(self):
        """Of a program that writes a byte when it runs; another interrupt ends it when gdb has left."""
        self.build(".syntax unified\n.arm\n.global start\nstart: ldr r1, =0xff000800\n mov r0, #'x'\n str r0, [r1]\n"
                   "here: b here\n.ltorg\n")
        remote = self.start()
        remote.send("c")
        self.assertEqual(remote.process.stdout.read(1), "x")
        remote.socket.sendall(b"\x03")
        self.assertEqual(remote.packet(), "T02thread:1;")
        self.assertEqual(remote.register(PC), 0x800c)
        remote.ask("D")
        remote.process.send_signal(signal.SIGINT)
        status, _, err = remote.end()
        self.assertEqual(status, 130)
        self.assertIn("interrupted by SIGINT", err)

    def end_without_gdb(self, seconds):
        """How a run with so much time ends after gdb was there; None when the time was over before."""
        try:
            remote = self.start("--timeout", str(seconds))
            remote.send("D")
            return remote.end() if remote.packet() == "OK" else None
        except (OSError, EOFError):
            return None

    def test_its_time_ends_it_when_gdb_has_left(self):
        self.build(".syntax unified\n.arm\n.global start\nstart: b start\n")
        for seconds in longer_and_longer(1):
            if end := self.end_without_gdb(seconds):
                break
        self.assertEqual(end[0], 124)
        self.assertIn(f"the time limit of {seconds} seconds is over", end[2])

    def test_a_fault_is_looked_at(self):
        self.build(".syntax unified\n.arm\n.global start\nstart: mov r1, #0xc0000000\n.global here\nhere: ldr r0, [r1]\n")
        remote = self.start()
        remote.send("c")
        said = remote.packet()
        self.assertIn("Data Abort at 0x00008004 (it reads 0xc0000000", bytes.fromhex(said[1:]).decode())
        self.assertEqual(remote.packet(), "T0bthread:1;")
        self.assertEqual((remote.register(PC), remote.register(1)), (0x8004, 0xc0000000))
        self.assertIn("CCNT", remote.monitor("pmu"))
        self.assertEqual(remote.ask("c"), "X06")
        status, _, err = remote.end()
        self.assertEqual(status, 123)
        self.assertIn("Data Abort", err)

    def test_a_limit(self):
        self.build(".syntax unified\n.arm\n.global start\nstart: b start\n")
        remote = self.start("--max-insns", "1000")
        self.assertEqual(remote.ask("c"), "X06")
        self.assertEqual(remote.end()[0], 124)

    def test_nobody_comes(self):
        self.build(LOOP)
        done = subprocess.run([ARMPMU, "run", "--gdb", ":0", "--timeout", "0.3", "program.elf"], cwd=self.folder, text=True,
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, 124)
        self.assertIn("the time limit of 0.3 seconds is over", done.stderr)

    def test_places(self):
        self.build(LOOP)
        for place in ("1234", "host", ":", ":x", ":70000", "[::1:1", ":-1"):
            done = subprocess.run([ARMPMU, "run", "--gdb", place, "program.elf"], cwd=self.folder, text=True,
                                  capture_output=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (
                125, f"armpmu: --gdb '{place}': must be HOST:PORT or :PORT, with a port of at most 65535, like :1234\n"))
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            done = subprocess.run([ARMPMU, "run", "--gdb", f":{port}", "program.elf"], cwd=self.folder, text=True,
                                  capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (
            125, f"armpmu: --gdb ':{port}': Address already in use: choose another port, or 0\n"))
        self.assertEqual(self.start(place="localhost:0").ask("c"), "W37")


class Kinds(Folder):
    def test_an_it_block_is_stepped_through(self):
        """An access to the monitor among its instructions: each of the five is stopped at, once."""
        self.build(".syntax unified\n.arm\n.global start\nstart: adr r0, 1f + 1\n bx r0\n.balign 4\n.thumb\n1: cmp r0, r0\n"
                   " itte eq\n addeq r2, r2, #1\n mrceq p15, 0, r3, c9, c12, 0\n addne r2, r2, #8\n mov r0, #3\n" + EXIT)
        remote, seen = self.start("--machine", "cortex-a8"), []
        for _ in range(9):
            seen.append(remote.register(PC))
            remote.ask("s")
        self.assertEqual(seen, [0x8000, 0x8004, 0x8008, 0x800a, 0x800c, 0x800e, 0x8012, 0x8014, 0x8018])
        self.assertEqual(remote.ask("c"), "W03")

    def test_aarch64(self):
        self.build(".global start\nstart: mov x0, #0\n mov x2, #10\nloop: add x0, x0, x2\n subs x2, x2, #1\n b.ne loop\n"
                   " ldr x1, =0xff000804\n str w0, [x1]\n b .\n.ltorg\n", compiler=COMPILER64)
        remote = self.start("--machine", "neoverse-n1")
        self.assertEqual(len(remote.ask("g")), 2 * (33 * 8 + 4))
        self.assertEqual((remote.register(PC64), remote.register(33) & 0xf), (0x8000, 0xd))
        remote.ask("Z1,8008,4")
        for n in range(10):
            self.assertEqual(remote.ask("c"), "T05thread:1;")
            self.assertEqual(remote.register(2), 10 - n)
        self.assertEqual(remote.ask("P0=e803000000000000"), "OK")
        self.assertEqual(remote.register(0), 1000)
        self.assertEqual(remote.ask("P21=00000000"), "E02")
        self.assertIn("CPU_CYCLES", remote.monitor("pmu"))
        self.assertEqual(remote.ask("c"), "W%02x" % (1001 & 0xff))

    def test_big_endian(self):
        self.build(LOOP, "-mbig-endian", "-Wl,--be8")
        remote = self.start("--machine", "cortex-r4f")
        self.assertEqual(remote.ask("pf"), "00008000")
        self.assertEqual(remote.ask("P0=00000007"), "OK")
        self.assertEqual(remote.ask("p0"), "00000007")


class Counts(Folder):
    def counts(self, name):
        rows = [json.loads(line) for line in (self.folder / name).read_text(encoding="utf-8").splitlines()]
        return {row["event"]: row["counter-value"] for row in rows if "event" in row}

    def compare(self, machine, elf):
        words = ["--machine", machine, "--engine", "unicorn", "-j", "-e", "all"]
        without = subprocess.run([ARMPMU, "stat", *words, "-o", "without", str(elf)], cwd=self.folder, check=False,
                                 capture_output=True, text=True)
        remote = self.start(*words, "-o", "with", command="stat", program=elf)
        stop, n = "T", 0
        while stop[0] == "T" and n < 900:
            stop, n = remote.ask("s" if n < 600 else "c"), n + 1
            if n % 7 == 0 and stop[0] == "T":
                remote.monitor("pmu")
            if n % 20 == 0 and stop[0] == "T" and n < 600:
                pc = bytes.fromhex(remote.ask("p20" if "neoverse" in machine else "pf"))
                remote.ask(f"Z0,{int.from_bytes(pc, 'little'):x},4")
        if stop[0] == "T":
            remote.ask("D")
        status, out, _ = remote.end()
        self.assertEqual((status, out), (without.returncode, without.stdout))
        self.assertEqual(self.counts("with"), self.counts("without"))

    def test_they_are_those_of_a_run_without(self):
        for machine, elf in PROGRAMS:
            with self.subTest(Path(elf).name):
                self.compare(machine, Path(elf).resolve())

    def test_so_are_those_of_long_blocks(self):
        """The library translates less of a block at a time where more hooks are called."""
        body = "".join(f" stmia sp, {{r0-r7}}\n ldrd r2, r3, [sp]\n addeq r{i % 4}, r4, r5\n umull r6, r7, r4, r5\n"
                       for i in range(200))
        self.build(LOOP.replace("loop: add", "loop: mov r9, r2\n mov r10, r0\n" + body + " mov r2, r9\n mov r0, r10\n add"))
        for machine in ("cortex-a8", "cortex-r4f"):
            self.compare(machine, self.folder / "program.elf")


@unittest.skipUnless(shutil.which("gdb-multiarch"), "gdb-multiarch is not installed")
class Gdb(Folder):
    def test_gdb_itself(self):
        self.build(LOOP)
        # pylint: disable-next=consider-using-with
        process = subprocess.Popen([ARMPMU, "run", "--timeout", "60", "--gdb", ":0", "program.elf"], cwd=self.folder, text=True,
                                   stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        place = process.stderr.readline().split()[-1]
        words = ["target remote " + place, "break done", "continue", "print $r0", "stepi", "x/i $pc", "info registers cpsr",
                 "monitor pmu", "print/x *(int *)$sp", "set var $r0 = 7", "continue"]
        done = subprocess.run(["gdb-multiarch", "-q", "-nx", "-batch", *[word for one in words for word in ("-ex", one)],
                               "program.elf"], cwd=self.folder, text=True, capture_output=True, check=False, timeout=60)
        self.assertRegex(done.stdout, r"Breakpoint 1, done")
        self.assertRegex(done.stdout, r"\$1 = 55\n")
        self.assertRegex(done.stdout, r"=> 0x8020 <done\+4>:")
        self.assertRegex(done.stdout + done.stderr, r"CCNT +0  CPU_CYCLES")
        self.assertRegex(done.stdout, r"\$2 = 0x37\n")
        self.assertRegex(done.stdout, r"exited with code 07")
        self.assertEqual((process.communicate()[1], process.returncode), ("", 7))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for what runs in the background
    unittest.main()
