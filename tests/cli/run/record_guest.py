"""What `armpmu record --guest` refuses before anything runs.

usage: record_guest.py ARMPMU ARM_FILE

ARM_FILE: any ELF file for 32-bit Arm with symbols.
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU, ARM_FILE = (Path(word).resolve() for word in sys.argv[1:3])

# Words before the machine, and what is said about them; FILES are made below.
REFUSED = [
    ("--guest --kernel nowhere", "'nowhere' is not there: build it, or correct its path"),
    ("--guest --kernel text", "name a vmlinux, the kernel's ELF file; --kallsyms takes texts"),
    ("--guest --kernel cut", "'cut' is truncated: its sections end at "),
    ("--guest --kernel stripped", "'stripped' has no symbols: name a vmlinux that was not stripped"),
    ("--guest --machine neoverse-n2 --kernel whole", "'whole' is for another architecture (ELF machine 40); the "
                                                     "processors of neoverse-n2 are AArch64"),
    ("--guest --kernel whole --kernel-text 0xc0008000", "'whole' has no symbol _text, which --kernel-text needs"),
    ("--guest --kernel-text 0xc0008000", "--kernel-text 0xc0008000: name the kernel's file, too, --kernel"),
    ("--guest --kallsyms nowhere", "'nowhere': No such file or directory"),
    ("--guest --kallsyms text", "'text', line 1, 'no': not ADDRESS TYPE NAME"),
    ("--guest --kallsyms whole", "'whole' is not a text: it has a byte of 0; name a System.map or a text of /proc/kallsyms"),
    ("--guest --symbols busybox", "--symbols 'busybox': not NAME=FILE"),
    ("--guest --symbols busybox=nowhere", "'nowhere' is not there: build it, or correct its path"),
    ("--guest --kernel whole -o ./whole", "-o './whole' is also the file of --kernel, which would be overwritten"),
    ("--kernel whole", "--kernel, --kallsyms, --symbols and --irq need a machine: add --guest"),
    ("--guest -I 10", "record: -I cannot be combined with --guest; leave it out"),
    ("--guest --set l2.sise_kb=1", "--set l2.sise_kb=1: [l2] has no key 'sise_kb'; it has size_kb, ways, line_bytes, replacement, "
     "shared, holds, write_allocate, hit_cycles, fetch_hit_cycles, line_cycles, fill_buffers"),
    ("--guest --roi main", "record: --roi cannot be combined with --guest; leave it out"),
    ("--guest -D 10", "record: -D cannot be combined with --guest; leave it out"),
    ("--guest --engine unicorn", "record: --engine cannot be combined with --guest; leave it out"),
    ("--guest --ram 0x0:1M", "record: options of firmware cannot be combined with --guest; leave it out"),
    ("--guest --qemu whole", "record: --qemu cannot be combined with --guest; leave it out"),
    ("--guest -e cycles:u", "cycles:u"),
]


def make_files(folder):
    whole = ARM_FILE.read_bytes()
    (folder / "whole").write_bytes(whole)
    (folder / "cut").write_bytes(whole[:len(whole) - 100])
    (folder / "text").write_text("no ELF file\n", encoding="ascii")
    subprocess.run(["arm-linux-gnueabihf-strip", "-o", folder / "stripped", ARM_FILE], check=True)


class Refused(unittest.TestCase):
    def test_in_one_line(self):
        with tempfile.TemporaryDirectory() as name:
            make_files(Path(name))
            for words, said in REFUSED:
                with self.subTest(words):
                    done = subprocess.run([ARMPMU, "record", *words.split(), "--", "qemu-system-arm"], cwd=name,
                                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
                    self.assertEqual((125, "", 1), (done.returncode, done.stdout, done.stderr.count("\n")), done)
                    self.assertIn(said, done.stderr)
                    self.assertFalse((Path(name) / "armpmu.data").exists())


if __name__ == "__main__":
    del sys.argv[1:]
    unittest.main()
