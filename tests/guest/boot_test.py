"""The initramfs is an archive a kernel can read; the console's markers are found."""

import stat
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

import boot
import initramfs


def entries(archive):
    """A reader of newc archives that shares nothing with the writer: name, mode, body."""
    at, found = 0, []
    while True:
        assert archive[at:at + 6] == b"070701", f"no header at {at}"
        words = [int(archive[at + 6 + 8 * n:at + 14 + 8 * n], 16) for n in range(13)]
        mode, size, name_size = words[1], words[6], words[11]
        name = archive[at + 110:at + 110 + name_size - 1].decode()
        body_at = (at + 110 + name_size + 3) & ~3
        if name == "TRAILER!!!":
            assert body_at == len(archive), "something follows the trailer"
            return found
        found.append((name, mode, archive[body_at:body_at + size]))
        at = (body_at + size + 3) & ~3


class Initramfs(unittest.TestCase):
    def build(self, commands):
        with TemporaryDirectory() as name:
            busybox, program = Path(name, "busybox"), Path(name, "odd")
            busybox.write_bytes(b"B" * 5)
            program.write_bytes(b"P" * 7)
            return entries(initramfs.build(commands, {"odd": program}, busybox))

    def test_everything_is_in_it_once_and_behind_its_folder(self):
        found = self.build(["true"])
        names = [name for name, _, _ in found]
        self.assertEqual(len(names), len(set(names)))
        for name in names:
            parent = str(Path(name).parent)
            self.assertTrue(parent == "." or names.index(parent) < names.index(name), name)
        files = {name: (mode, body) for name, mode, body in found}
        self.assertEqual(files["bin/busybox"], (stat.S_IFREG | 0o755, b"BBBBB"))
        self.assertEqual(files["bin/odd"], (stat.S_IFREG | 0o755, b"PPPPPPP"))
        self.assertEqual(files["dev"], (stat.S_IFDIR | 0o755, b""))

    def test_init_runs_the_commands_in_their_order(self):
        init = dict((name, body) for name, _, body in self.build(["one 1", "two 2"]))["init"]
        text = init.decode()
        places = [text.index(part) for part in
                  ("@@ boot", "@@ begin 0", "(one 1)", "@@ end 0", "@@ begin 1", "(two 2)",
                   "@@ end 1", "@@ off", "poweroff")]
        self.assertEqual(places, sorted(places))
        self.assertTrue(text.startswith("#!/bin/busybox sh\n"))


class Console(unittest.TestCase):
    def test_output_goes_to_its_command(self):
        console = boot.Console(["one", "two"])
        for line in ("early", "@@ boot 1.25", "@@ begin 0", "a", "b\r\n", "@@ end 0 0", "between",
                     "@@ begin 1", "@@ no marker", "@@ end 1 3", "@@ off", "late"):
            console.take(line)
        one, two = console.boot.commands
        self.assertEqual((one.output, one.status), (["a", "b"], 0))
        self.assertEqual((two.output, two.status), (["@@ no marker"], 3))
        self.assertEqual(console.boot.init_seconds, 1.25)
        self.assertTrue(console.is_off)

    def test_an_early_end_names_what_did_not_run(self):
        console = boot.Console(["one", "two"])
        for line in ("@@ boot 1.25", "@@ begin 0", "@@ end 0 0", "Kernel panic"):
            console.take(line)
        self.assertFalse(console.is_off)
        said = str(console.complain("QEMU ended"))
        self.assertTrue(said.startswith("QEMU ended; not finished: two; "), said)
        self.assertTrue(said.endswith("Kernel panic"), said)


if __name__ == "__main__":
    unittest.main()
