"""Firmware has the files that the command line gives it, and no others.

usage: semihosting.py ARMPMU MACHINE CALLS.elf COMPILER...    the words of a compiler, for programs of a few lines
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU, MACHINE, CALLS, *COMPILER = sys.argv[1:]
ARMPMU, CALLS = str(Path(ARMPMU).resolve()), str(Path(CALLS).resolve())
del sys.argv[1:]
WIDE = MACHINE == "neoverse-n2"
NOWHERE = "900000000000" if WIDE else "c0000000"

ENOENT, EBADF, EACCES, EISDIR, EINVAL, EMFILE = 2, 9, 13, 21, 22, 24
ESPIPE, ENOSYS = 29, 38
READ, READ_PLUS, WRITE, WRITE_PLUS, APPEND, APPEND_PLUS = range(0, 12, 2)


def opens(path, mode=READ):
    return f"1,@{path},{mode:x},{len(path):x}"


def removes(path):
    return f"e,@{path},{len(path):x}"


def renames(old, new):
    return f"f,@{old},{len(old):x},@{new},{len(new):x}"


def writes(handle, text):
    return f"5,{handle:x},@{text},{len(text):x}"


def reads(handle, n):
    return f"6,{handle:x},$,{n:x}"


def closes(handle):
    return f"2,{handle:x}"


class Folder(unittest.TestCase):
    """A folder for the program, and one beside it that is none of its business."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="armpmu-")
        self.addCleanup(scratch.cleanup)
        self.scratch = Path(scratch.name)
        self.root, self.outside = self.scratch / "inside", self.scratch / "outside"
        for folder in (self.root, self.root / "sub", self.outside):
            folder.mkdir()
        for folder in (self.root, self.root / "sub", self.outside):
            (folder / "file").write_text("precious", encoding="ascii")

    def run_words(self, words, options=(), command="run", **how):
        done = subprocess.run([ARMPMU, command, "--machine", MACHINE, "--timeout", "60", *options,
                               CALLS, *words], check=False, capture_output=True,
                              cwd=self.root, stdin=subprocess.DEVNULL, **how)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def calls(self, words, options=("--semihosting=files",)):
        """Result and error of each call, and what standard error got."""
        status, out, err = self.run_words(words, options)
        self.assertEqual(status, 0, err)
        return [tuple(int(word, 16) for word in line.split()) for line in out.splitlines()], err

    def tree(self):
        return sorted((str(path.relative_to(self.scratch)), path.is_file() and path.read_text("ascii"))
                      for path in self.scratch.rglob("*") if not path.is_fifo())


class Files(Folder):
    def test_none_unless_they_are_given(self):
        before = self.tree()
        got, err = self.calls([opens("file"), opens("file", WRITE), opens(f"{self.outside}/file", WRITE),
                               opens("new", WRITE), removes("file"), renames("file", "other"), "d,$,1,40"], ())
        self.assertEqual(got, [(-1, EACCES)] * 7)
        self.assertEqual(self.tree(), before)
        self.assertIn("semihosting: SYS_OPEN of 'file' was refused: it has no files; --semihosting-root DIR", err)
        self.assertIn("semihosting: SYS_REMOVE of 'file' was refused", err)
        self.assertIn("semihosting: SYS_RENAME of 'file' was refused", err)

    def test_console_needs_none(self):
        words = [opens(":tt"), opens(":tt", WRITE), opens(":tt", APPEND), writes(2, "said"), "3!,@c"]
        status, out, err = self.run_words(words)
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(out.splitlines()[:3], ["1 0", "2 0", "3 0"])
        self.assertIn("said", out)

    def test_those_below_a_folder(self):
        for options in (["--semihosting=files"], ["--semihosting-root", "."],
                        ["--semihosting", "files", "--semihosting-root", str(self.root)]):
            with self.subTest(options):
                words = [opens("made", WRITE), writes(1, "abcdef"), closes(1), opens("./sub/../made", APPEND),
                         writes(1, "gh"), closes(1), opens("made"), "a,1,2", reads(1, 6), "c,1", closes(1),
                         renames("made", "sub/moved"), opens("made"), opens("sub/moved", READ_PLUS),
                         writes(1, "X"), closes(1), removes("sub/file"), opens("sub"), opens("sub/moved", WRITE_PLUS)]
                got, err = self.calls(words, options)
                self.assertEqual([result for result, _ in got],
                                 [1, 0, 0, 1, 0, 0, 1, 0, 0, 8, 0, 0, -1, 1, 0, 0, 0, -1, 1])
                self.assertEqual((got[12][1], got[17][1]), (ENOENT, EISDIR))
                self.assertEqual(err, "")
                self.assertEqual((self.root / "sub/moved").read_text("ascii"), "")
                self.assertFalse((self.root / "made").exists())
                self.assertFalse((self.root / "sub/file").exists())
                self.assertEqual((self.outside / "file").read_text("ascii"), "precious")
                (self.root / "sub/file").write_text("precious", encoding="ascii")

    def test_text_comes_back(self):
        words = [opens("file"), "a,1,2", reads(1, 100), "="]
        status, out, _ = self.run_words(words, ["--semihosting-root", str(self.root)])
        self.assertEqual((status, out), (0, "1 0\n0 0\n5e 0\necious"))

    def test_nothing_that_leads_out(self):
        (self.root / "link").symlink_to("../outside")
        (self.root / "long").symlink_to(self.outside)
        (self.root / "straight").symlink_to("../outside/file")
        (self.root / "dangling").symlink_to("../outside/new")
        (self.root / "inner").symlink_to("sub")
        (self.root / "loop").symlink_to("loop")
        before = self.tree()
        paths = [f"{self.root}/file", f"{self.outside}/file", "/etc/passwd", "..", "../outside/file",
                 "../inside/file", "sub/../../outside/file", "./../outside/new", "link/file", "link/new",
                 "long/file", "long/new", "straight", "dangling", "loop", "inner/../../outside/file",
                 "//etc/passwd"]
        for path in paths:
            with self.subTest(path):
                words = [opens(path, mode) for mode in range(0, 12, 2)]
                if path not in ("straight", "dangling", "loop"):  # a link itself may go
                    words += [removes(path), renames(path, "mine"), renames("file", path)]
                got, err = self.calls(words)
                self.assertEqual(got, [(-1, EACCES)] * len(words))
                self.assertRegex(err, rf"SYS_OPEN of '{path}' was refused: it (is absolute|leads out|has a symbolic)")
                self.assertEqual(self.tree(), before)

    def test_links_that_stay_inside(self):
        (self.root / "inner").symlink_to("sub")
        (self.root / "other").symlink_to("sub/file")
        (self.root / "out").symlink_to("../outside/file")
        got, err = self.calls([opens("inner/file"), opens("other"), removes("out")])
        self.assertEqual(got, [(1, 0), (2, 0), (0, 0)])
        self.assertEqual(err, "")
        self.assertEqual((self.outside / "file").read_text("ascii"), "precious")

    def test_no_special_files(self):
        os.mkfifo(self.root / "fifo")
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        listener.bind(str(self.root / "socket"))
        for name in ("fifo", "socket"):
            got, err = self.calls([opens(name, mode) for mode in range(0, 12, 2)])
            self.assertEqual(got, [(-1, EACCES)] * 6)
            self.assertIn(f"SYS_OPEN of '{name}' was refused: it is a FIFO, a device, a socket", err)
        for folder, name in (("/dev", "null"), ("/proc/self", "mem"), ("/", "proc/self/maps")):
            got, err = self.calls([opens(name), opens(name, READ_PLUS)], ["--semihosting-root", folder])
            self.assertEqual(got, [(-1, EACCES)] * 2)
            self.assertIn(f"SYS_OPEN of '{name}' was refused: it", err)

    def test_temporary_names_are_below_the_folder(self):
        status, out, _ = self.run_words(["d,$,7,13", "=", "d,$,7,12", "d,$,100,40", f"d,{NOWHERE},1,40"],
                                        ["--semihosting=files"])
        self.assertEqual((status, out.split()[:3]), (0, ["0", "0", "semihosting-07.tmp-1"]))
        self.assertEqual(out.split()[3::2], [f"{EINVAL:x}", f"{EINVAL:x}", "e"])

    def test_no_command_runs(self):
        got, err = self.calls(["12,@touch${IFS}ran,e"])
        self.assertEqual(got, [(-1, ENOSYS)])
        self.assertFalse((self.root / "ran").exists())
        self.assertIn("SYS_SYSTEM of 'touch${IFS}ran' was refused: armpmu runs no commands", err)

    def test_the_features_are_only_read(self):
        modes = [opens(":semihosting-features", mode) for mode in (READ_PLUS, WRITE, WRITE_PLUS, APPEND)]
        got, _ = self.calls([*modes, opens(":semihosting-features"), writes(1, "more"), "c,1", reads(1, 8)], ())
        self.assertEqual([result for result, _ in got], [-1, -1, -1, -1, 1, 4, 5, 3])

    def test_the_console_is_a_stream(self):
        """What was in the caller's file before stays there."""
        path = self.scratch / "log"
        with open(path, "w", encoding="ascii") as log:
            log.write("before\n")
            log.flush()
            subprocess.run([ARMPMU, "run", "--machine", MACHINE, CALLS, opens(":tt", WRITE), "a,1,0",
                            writes(1, "after")], check=True, stdout=log)
        self.assertTrue(path.read_text("ascii").startswith(f"before\n1 0\n-1 {ESPIPE:x}\nafter"))


class Report(Folder):
    def test_each_path_once_and_not_too_many(self):
        words = [opens("/one")] * 5 + [opens(f"/p{i}") for i in range(20)]
        _, err = self.calls(words)
        lines = err.splitlines()
        self.assertEqual((len(lines), lines[0].count("/one")), (9, 1), err)
        self.assertRegex(lines[-1], "semihosting: and 13 calls more$")

    def test_nothing_reaches_the_terminal_raw(self):
        _, err = self.calls([opens("/\x1b[31mred\x07\r\x7f\udc9b\u00e4\u009b"), opens("/" + "x" * 1000)])
        self.assertIn("'/\\x1b[31mred\\x07\\x0d\\x7f\\x9b\u00e4\\xc2\\x9b' was refused", err)
        self.assertRegex(err, r"'/x{60,126}\.\.\.' was refused")
        self.assertTrue(all(letter.isprintable() or letter == "\n" for letter in err))

    def test_with_counts(self):
        report = self.scratch / "report"
        status, _, err = self.run_words([opens("/etc/passwd")], ["--engine", "unicorn", "-j", "-o", str(report)],
                                        "stat")
        self.assertEqual(status, 0)
        self.assertIn("armpmu: ", err)
        self.assertIn("SYS_OPEN of '/etc/passwd' was refused", err)
        for line in report.read_text("ascii").splitlines():
            json.loads(line)


class Hostile(Folder):
    """The numbers of a call are the program's word."""

    def test_addresses(self):
        for call in ("1", "2", "5", "6", "8", "9", "a", "c", "d", "e", "f", "12", "15", "16", "30"):
            with self.subTest(call):
                got, _ = self.calls([f"{call}!,{NOWHERE}"])
                self.assertEqual(len(got), 1)
        got, _ = self.calls([f"1,{NOWHERE},4,4", f"e,{NOWHERE},4", f"f,{NOWHERE},4,@b,1", f"f,@file,4,{NOWHERE},1",
                             opens("file", READ_PLUS), f"5,1,{NOWHERE},10", f"6,1,{NOWHERE},8",
                             f"15,{NOWHERE},100", f"16,{NOWHERE}"])
        self.assertEqual([result for result, _ in got], [-1, -1, -1, -1, 1, 0x10, 8, -1, -1])

    def test_lengths(self):
        most = "ffffffffffffffff" if WIDE else "ffffffff"
        got, _ = self.calls([opens("file", READ_PLUS), f"6,1,$,{most}", f"a,1,{most}", "15,$,0", "15,$,1",
                             opens("file", 12), opens("file", int(most, 16)), opens("")])
        results = [result for result, _ in got]
        self.assertEqual(results[0], 1)
        self.assertEqual(results[1] & 0xffffffff, 0xfffffff7)
        self.assertEqual(results[3:], [-1] * 5)
        self.assertEqual([error for _, error in got[5:]], [EINVAL, EINVAL, ENOENT])

    def test_a_write_ends_where_memory_does(self):
        most = "ffffffffffffffff" if WIDE else "ffffffff"
        done = subprocess.run([ARMPMU, "run", "--machine", MACHINE, CALLS, opens(":tt", WRITE),
                               f"5,1,@x,{most}"], check=False, stdout=subprocess.PIPE,
                              cwd=self.root)
        self.assertEqual(done.returncode, 0)
        self.assertLess(len(done.stdout), 80 << 20)

    def test_handles(self):
        words = []
        for handle in ("0", "1", "20", "21", "7fffffff", "ffffffff", "80000001"):
            words += [f"2,{handle}", f"5,{handle},@x,1", f"6,{handle},$,1", f"9,{handle}", f"a,{handle},0",
                      f"c,{handle}"]
        got, _ = self.calls(words)
        self.assertEqual([error for _, error in got], [EBADF] * len(words))
        self.assertTrue(all(result != 0 for result, _ in got))

    def test_so_many_files_are_open(self):
        got, _ = self.calls([opens("file")] * 40 + [closes(5), opens("file")])
        self.assertEqual(got[:32], [(i + 1, 0) for i in range(32)])
        self.assertEqual(got[32:40], [(-1, EMFILE)] * 8)
        self.assertEqual([result for result, _ in got[40:]], [0, 5])

    def test_names_without_an_end(self):
        got, _ = self.calls([opens("x" * 4094), opens("x" * 4095), opens("x" * 5000)])
        self.assertEqual([result for result, _ in got], [-1, -1, -1])


class Options(Folder):
    def build(self, text):
        source, elf = self.scratch / "program.S", self.scratch / "program.elf"
        source.write_text(f".global start\nstart:\n{text}\n", encoding="ascii")
        subprocess.run([*COMPILER, str(source), "-o", str(elf)], check=True)
        return str(elf)

    def test_off_is_the_bare_core(self):
        status, out, err = self.run_words([], ["--semihosting=off"])
        self.assertEqual((status, out), (123, ""))
        self.assertRegex(err, "an undefined instruction at" if WIDE else
                         r"Supervisor Call at \w+ \(a call of semihosting, which --semihosting=off\)")

    @unittest.skipIf(WIDE, "of AArch32")
    def test_off_leaves_the_call_to_the_program(self):
        """Its handler for SVC gets the number and ends with it."""
        elf = self.build("ldr r0, =vectors\n mcr p15, 0, r0, c12, c0, 0\n mov r0, #0x18\n svc #0x123456\n"
                         "handler: ldr r0, [lr, #-4]\n and r0, r0, #0xff\n ldr r1, =0xff000804\n"
                         " str r0, [r1]\n1: b 1b\n.ltorg\n.balign 32\nvectors: b .\n b .\n b handler\n")
        for options, want in ((["--semihosting=off"], 0x56), ([], 1)):
            done = subprocess.run([ARMPMU, "run", "--machine", MACHINE, *options, elf], check=False, capture_output=True)
            self.assertEqual(done.returncode, want, done.stderr)

    def test_what_cannot_be(self):
        for options, text in (
                (["--semihosting=all"], "--semihosting 'all': there are console, files and off"),
                (["--semihosting=console", "--semihosting-root", "."],
                 "--semihosting-root '.' goes with --semihosting=files, not with console"),
                (["--semihosting-root", ".", "--semihosting=off"], "not with off"),
                (["--semihosting-root", "nowhere"], "--semihosting-root 'nowhere': No such file or directory"),
                (["--semihosting-root", "file"], "--semihosting-root 'file': Not a directory"),
                (["--semihosting-root", ""], "--semihosting-root '': No such file")):
            with self.subTest(options):
                status, out, err = self.run_words([], options)
                self.assertEqual((status, out), (125, ""))
                self.assertIn(text, err)


if __name__ == "__main__":
    unittest.main()
