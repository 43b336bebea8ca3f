"""Finding and starting the program: each mistake has its own message and status, signals reach the guest,
and nobody waits for a recorder that is gone."""

import os
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

WATCH = os.environ["WATCH_TRACE"]
PROGRAMS = {Path(p).name: p for p in os.environ["PROGRAMS"].split(":")}
STATIC = PROGRAMS["guest_a32_static"]
DYNAMIC = PROGRAMS["guest_t32_dynamic"]
ENVIRONMENT = {"PATH": os.environ["PATH"], "ARMPMU_PLUGIN": os.environ["RECORDER"]}
E_TYPE, E_MACHINE, EI_CLASS, EI_DATA = 16, 18, 4, 5


class Mistakes(unittest.TestCase):
    static = STATIC

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name, content, mode=0o755):
        path = Path(self.folder.name, name)
        path.write_bytes(content)
        path.chmod(mode)
        return str(path)

    def patched(self, name, changes):
        content = bytearray(Path(STATIC).read_bytes())
        for at, value in changes.items():
            content[at] = value
        return self.file(name, bytes(content))

    def refused(self, program, status, *words, **environment):
        done = subprocess.run([WATCH, "-q", program, "exit_code"], capture_output=True, text=True, env=ENVIRONMENT | environment)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_missing(self):
        self.refused("/nonexistent/program", 127, "/nonexistent/program", "build it")
        self.refused("no-such-program", 127, "no-such-program", "PATH")
        self.refused("", 127, "empty")

    def test_out_of_reach(self):
        inside = self.file("plain", Path(STATIC).read_bytes(), 0o644) + "/inside"
        self.refused(inside, 126, "Not a directory", "path")
        self.refused("./" + 300 * "x", 126, "File name too long", "path")
        loop = Path(self.folder.name, "loop")
        loop.symlink_to(loop)
        self.refused(str(loop), 126, "symbolic links", "path")

    def test_not_executable(self):
        self.refused(self.folder.name, 126, "folder")
        self.refused(self.file("plain", Path(STATIC).read_bytes(), 0o644), 126, "chmod +x")
        self.refused("plain", 126, "chmod +x", PATH=self.folder.name + ":/usr/bin")

    def test_no_elf(self):
        self.refused(self.file("text", b"hello\n"), 126, "not an ELF file")
        self.refused(self.file("empty", b""), 126, "not an ELF file")
        self.refused(self.file("script", b"#!/bin/sh\n"), 126, "script", "interpreter")

    def test_wrong_machine(self):
        self.refused(self.patched("x86", {EI_CLASS: 2, E_MACHINE: 62}), 126, "x86-64")
        self.refused(self.patched("a64", {EI_CLASS: 2, E_MACHINE: 183}), 126, "AArch64")
        self.refused(self.patched("other", {E_MACHINE: 0xff}), 126, "machine number 255")
        big = {EI_DATA: 2, E_MACHINE: 0, E_MACHINE + 1: 40}
        self.refused(self.patched("big", big), 126, "big-endian")

    def test_no_program(self):
        self.refused(self.patched("object", {E_TYPE: 1}), 126, "type 1")

    def test_cut_short(self):
        content = Path(STATIC).read_bytes()
        self.refused(self.file("half", content[:len(content) // 2]), 126, "truncated", "segments")
        self.refused(self.file("headers", content[:60]), 126, "truncated", "program headers")
        self.refused(self.file("start", content[:20]), 126, "truncated")

    def test_found_in_path(self):
        link = Path(self.folder.name, "guest")
        link.symlink_to(STATIC)
        done = subprocess.run([WATCH, "-q", "guest", "exit_code"], capture_output=True,
                              env=ENVIRONMENT | {"PATH": f"/nonexistent:{self.folder.name}:{os.environ['PATH']}"})
        self.assertEqual(done.returncode, 42)

    def test_no_qemu(self):
        self.refused(STATIC, 125, "/nonexistent/qemu", "scripts/setup",
                     ARMPMU_QEMU="/nonexistent/qemu")
        self.refused(STATIC, 125, "qemu-arm", "scripts/setup", PATH="/nonexistent")

    def test_qemu_without_plugins(self):
        """Any other ELF program stands for a QEMU that does not export the plugin interface."""
        self.refused(self.static, 125, "loads no plugins", "scripts/setup", ARMPMU_QEMU=STATIC)

    def test_qemu_behind_a_script(self):
        script = self.file("qemu, wrapped", b'#!/bin/sh\nexec qemu-arm "$@"\n')
        done = subprocess.run([WATCH, "-q", STATIC, "exit_code"], capture_output=True,
                              env=ENVIRONMENT | {"ARMPMU_QEMU": script})
        self.assertEqual(done.returncode, 42)

    def test_plugin_with_a_comma_in_its_name(self):
        plugin = self.file("a,b.so", Path(os.environ["RECORDER"]).read_bytes())
        done = subprocess.run([WATCH, "-q", STATIC, "exit_code"], capture_output=True,
                              env=ENVIRONMENT | {"ARMPMU_PLUGIN": plugin})
        self.assertEqual(done.returncode, 42)
        self.assertIn(b"stream 1.1 ", done.stderr)

    def test_no_plugin(self):
        self.refused(self.static, 125, "ARMPMU_PLUGIN", "/nonexistent", ARMPMU_PLUGIN="/nonexistent")

    def test_no_loader(self):
        content = Path(DYNAMIC).read_bytes()
        for loader, words in {b"/lib/ld-linux-none4.so.3": ["--sysroot"],
                              b"/lub/ld-linux-armhf.so.3": ["libc6-armhf-cross"]}.items():
            program = self.file("other", content.replace(b"/lib/ld-linux-armhf.so.3", loader))
            self.refused(program, 125, loader.decode(), *words)
        self.refused(program, 125, "QEMU_LD_PREFIX '/usr'", "/lub/ld-linux-armhf.so.3", QEMU_LD_PREFIX="/usr")
        self.refused(program, 125, "QEMU_LD_PREFIX '/nonexistent'", QEMU_LD_PREFIX="/nonexistent")
        for name in "lib", "lub":
            Path(self.folder.name, name).symlink_to("/usr/arm-linux-gnueabihf/lib")
        done = subprocess.run([WATCH, "-q", program, "exit_code"], env=ENVIRONMENT | {"QEMU_LD_PREFIX": self.folder.name})
        self.assertEqual(done.returncode, 42)


@unittest.skipUnless("guest_a64_static" in PROGRAMS, "no compiler for AArch64")
class AArch64(Mistakes):
    """The same mistakes with AArch64 programs, for a machine that runs those."""

    def setUp(self):
        super().setUp()
        self.static, self.dynamic = PROGRAMS["guest_a64_static"], PROGRAMS["guest_a64_dynamic"]

    def refused(self, program, status, *words, **environment):
        super().refused(program, status, *words, **{"WATCH_CORE": "amuv1"} | environment)

    def patched(self, name, changes):
        content = bytearray(Path(self.static).read_bytes())
        for at, value in changes.items():
            content[at] = value
        return self.file(name, bytes(content))

    def ends(self, program, status):
        done = subprocess.run([WATCH, "-q", program, "exit_code"], capture_output=True,
                              env=ENVIRONMENT | {"WATCH_CORE": "amuv1"})
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertIn(b"stream 1.1 ", done.stderr)

    def test_runs(self):
        self.ends(self.static, 42)
        self.ends(self.dynamic, 42)

    def test_wrong_machine(self):
        self.refused(self.patched("x86", {E_MACHINE: 62}), 126, "x86-64", "aarch64-linux-gnu-gcc")
        self.refused(STATIC, 126, "32-bit Arm", "amuv1", "--machine cortex-a8")
        self.refused(self.static, 126, "AArch64", "cortex-a8", "--machine neoverse-n1",
                     WATCH_CORE="cortex-a8")
        self.refused(self.patched("x32", {EI_CLASS: 1}), 126, "ELF class 1")
        self.refused(self.patched("big", {EI_DATA: 2, E_MACHINE: 0, E_MACHINE + 1: 183}), 126,
                     "big-endian")

    def test_cut_short(self):
        content = Path(self.static).read_bytes()
        self.refused(self.file("half", content[:len(content) // 2]), 126, "truncated", "segments")
        self.refused(self.file("headers", content[:70]), 126, "truncated", "program headers")
        self.refused(self.file("start", content[:60]), 126, "truncated", "headers")

    def test_segments_far_outside_the_file(self):
        """Offsets and lengths of 64 bits whose sum wraps."""
        for at in (32, 64 + 8, 64 + 32):  # e_phoff; p_offset, p_filesz of the first segment
            wide = {at + i: 0xff for i in range(8)}
            load = {64: 1, 65: 0, 66: 0, 67: 0}
            self.refused(self.patched("far", wide | ({} if at == 32 else load)), 126, "truncated")

    def test_no_qemu(self):
        self.refused(self.static, 125, "qemu-aarch64", "scripts/setup", PATH="/nonexistent")

    def test_no_loader(self):
        content = Path(self.dynamic).read_bytes()
        for loader, words in {b"/lib/ld-linux-none641.so.1": ["--sysroot"],
                              b"/lub/ld-linux-aarch64.so.1": ["libc6-arm64-cross"]}.items():
            program = self.file("other", content.replace(b"/lib/ld-linux-aarch64.so.1", loader))
            self.refused(program, 125, loader.decode(), *words)


def ignore_nothing():
    """A shell starts what runs in the background with some signals ignored."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


class Signals(unittest.TestCase):
    def start(self, *case, preexec_fn=ignore_nothing, **environment):
        guest = subprocess.Popen([WATCH, "-q", STATIC, *case], stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True, env=ENVIRONMENT | environment,
                                 preexec_fn=preexec_fn)
        lines = []
        while not lines or lines[-1] != "started\n":
            lines.append(guest.stdout.readline())
            self.assertNotEqual(lines[-1], "")
        return guest, lines

    def ends_with(self, guest, status):
        out, err = guest.communicate()
        self.assertEqual(guest.returncode, status)
        self.assertRegex(err, r"stream 1\.1 blocks \d+ insns [1-9]\d* ")
        return out

    def test_termination_is_passed_on(self):
        guest, _ = self.start("wait_for_signal")
        guest.send_signal(signal.SIGTERM)
        self.ends_with(guest, 7)

    def test_interrupt_of_another_process_is_passed_on(self):
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
            guest, _ = self.start("wait_for_signal")
            guest.send_signal(number)
            self.ends_with(guest, 128 + number)

    def test_what_is_ignored_stays_ignored(self):
        ignore = lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)
        guest, lines = self.start("wait_for_signal", preexec_fn=ignore)
        self.assertEqual(lines[0], "hangups are ignored\n")
        guest.send_signal(signal.SIGHUP)
        guest.send_signal(signal.SIGTERM)
        self.ends_with(guest, 7)

    def test_guest_survives_its_recorder_where_that_is_asked_for(self):
        guest, _ = self.start("long_work", KEEP_RUNNING="1")
        guest.kill()
        self.assertRegex(guest.stdout.read(), r"sum \d+\n")
        guest.wait()
        guest.stdout.close()
        guest.stderr.close()

    def test_guest_ends_with_its_recorder(self):
        guest, _ = self.start("long_work")
        guest.kill()
        self.assertEqual(guest.stdout.read(), "")
        guest.wait()
        guest.stdout.close()
        guest.stderr.close()

    def test_processes_left_behind_run_on(self):
        for _ in range(3):
            guest = subprocess.Popen([WATCH, "-q", STATIC, "leave_a_child"], text=True,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                     env=ENVIRONMENT)
            self.assertEqual(guest.wait(), 8)
            self.assertRegex(guest.stdout.read(), r"started\nsum \d+\n")
            guest.stdout.close()
            guest.stderr.close()


if __name__ == "__main__":
    unittest.main()
