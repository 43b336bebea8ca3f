"""armpmu dtb: its output trees, and its messages for invalid arguments and files.

usage: dtb.py ARMPMU

Trees are compiled and read with dtc and fdtget, which share no code path with the command beyond
libfdt's reader.
"""

import os
import resource
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

GIC = """
    interrupt-parent = <&gic>;
    gic: interrupt-controller@8000000 {
        compatible = "arm,cortex-a15-gic"; interrupt-controller; #interrupt-cells = <3>;
    };
"""
GIC_V3 = GIC.replace("arm,cortex-a15-gic", "arm,gic-v3")
GIC_V3_PARTITIONED = GIC_V3.replace("<3>", "<4>")
INTC = """
    interrupt-parent = <&intc>;
    intc: interrupt-controller@1c20400 {
        compatible = "allwinner,sun4i-a10-ic"; interrupt-controller; #interrupt-cells = <1>;
    };
"""
TWO_CELLS = INTC.replace("<1>", "<2>")
CPUS = """
    cpus {
        #address-cells = <1>; #size-cells = <0>;
        cpu-map { };
        cpu@0 { device_type = "cpu"; reg = <0>; };
        cpu1: cpu@1 { device_type = "cpu"; reg = <1>; };
        cache { compatible = "cache"; next = <&cpu1>; };
    };
"""
ONE_CPU = """
    cpus { #address-cells = <1>; #size-cells = <0>; cpu@0 { device_type = "cpu"; reg = <0>; }; };
"""
OLD_PMU = '    pmu { compatible = "arm,armv8-pmuv3"; interrupts = <1 7 4>; };\n'
OLD_PMUS = """
    soc { pmu@80 { compatible = "arm,cortex-a7-pmu"; };
          arm-pmu { compatible = "arm,cortex-a15-pmu"; }; };
    pmu-a53 { compatible = "arm,armv8-pmuv3"; };
    cci { cci-pmu@9000 { compatible = "arm,cci-400-pmu,r1"; }; };
"""
NOT_A_TREE = ("not a flattened device tree (the first four bytes are not d00dfeed); make one from "
              "source with dtc")
SHAPE = "interrupts like spi:100, ppi:7 or irq:3, separated by ','"

# What the root holds, the interrupts asked for, the cells of /pmu's interrupts.
MADE = [
    (GIC, "spi:100", "0 64 4"),
    (GIC, "spi:0", "0 0 4"),
    (GIC, "spi:987", "0 3db 4"),
    (GIC + OLD_PMU, "spi:100", "0 64 4"),
    (GIC + OLD_PMUS, "spi:1", "0 1 4"),
    (GIC + ONE_CPU, "ppi:7", "1 7 104"),
    (GIC + CPUS, "ppi:15", "1 f 304"),
    (GIC_V3 + CPUS, "ppi:7", "1 7 4"),
    (GIC_V3_PARTITIONED, "spi:2", "0 2 4 0"),
    (INTC, "irq:3", "3"),
    (TWO_CELLS, "irq:45", "2d 4"),
    (GIC + CPUS, "spi:100,spi:101", "0 64 4 0 65 4"),
]

# What the root holds, the interrupts asked for, the sentence; {} is the input's name.
IMPOSSIBLE = [
    (GIC, "spi:988", "--irq spi:988: the GIC's go from 0 to 987"),
    (GIC, "ppi:16", "--irq ppi:16: the GIC's go from 0 to 15"),
    (GIC, "irq:3",
     "--irq irq:3: the interrupt controller of {} is a GIC; use spi:N or ppi:N"),
    (INTC, "spi:3", "--irq spi:3: the interrupt controller of {} is no GIC; use irq:N"),
    (INTC, "ppi:3", "--irq ppi:3: the interrupt controller of {} is no GIC; use irq:N"),
    (GIC + ONE_CPU, "spi:1,spi:2",
     "--irq names 2 interrupts, {} has 1 CPU nodes; name one for each CPU"),
    ("", "spi:1",
     "{}: the root has no interrupt-parent, so no controller takes the PMU's interrupt; name one "
     "in the tree's source"),
    ("    interrupt-parent = <77>;", "spi:1",
     "{}: the root's interrupt-parent is phandle 0x4d and no node has it; correct the tree's source"),
    (INTC.replace("#interrupt-cells = <1>;", ""), "irq:1",
     "{}: the interrupt controller interrupt-controller@1c20400 has no #interrupt-cells; correct the tree's source"),
    (INTC.replace("<1>", "<5>"), "irq:1",
     "{}: #interrupt-cells of interrupt-controller@1c20400 is 5, from 1 to 4 are known"),
]

# Words behind "armpmu dtb", the sentence.
REFUSED = [
    ([], "dtb: 0 files named, IN and OUT are needed; see 'armpmu help dtb'"),
    (["a", "b", "c"], "dtb: 3 files named, IN and OUT are needed; see 'armpmu help dtb'"),
    (["a", "b"], "dtb: --core is missing; see 'armpmu help dtb'"),
    (["a", "b", "--core", "cortex-a8"], "dtb: --irq is missing; see 'armpmu help dtb'"),
    (["a", "b", "--core"], "dtb: --core needs a value; see 'armpmu help dtb'"),
    (["--cores", "x"], "dtb: unknown option --cores; did you mean --core? 'armpmu help dtb' lists them"),
    (["a", "b", "--core", "xscale3", "--irq", "spi:1"],
     "--core 'xscale3' is not a core; did you mean xscale1 or xscale2?"),
    (["a", "b", "--core", "xyzzy", "--irq", "spi:1"],
     "--core 'xyzzy' is not a core; 'armpmu list core' shows them"),
    (["a", "b", "--core", "xscale1", "--irq", "spi:1"],
     "--core xscale1: Linux takes no driver for it from a device tree; it does for cortex-a8"),
    (["a", "b", "--core", "cortex-a8", "--irq", "100"], f"--irq '100': {SHAPE}"),
    (["a", "b", "--core", "cortex-a8", "--irq", ""], f"--irq '': {SHAPE}"),
    (["a", "b", "--core", "cortex-a8", "--irq", "spi:"], f"--irq 'spi:': {SHAPE}"),
    (["a", "b", "--core", "cortex-a8", "--irq", "spi:-1"], f"--irq 'spi:-1': {SHAPE}"),
    (["a", "b", "--core", "cortex-a8", "--irq", "spi:1x"], f"--irq 'spi:1x': {SHAPE}"),
    (["a", "b", "--core", "cortex-a8", "--irq", "spi:1,"], f"--irq 'spi:1,': {SHAPE}"),
    (["a", "b", "--core", "cortex-a8", "--irq", "irq:4294967296"],
     f"--irq 'irq:4294967296': {SHAPE}"),
    (["a", "b", "--core", "cortex-a8", "--irq", "ppi:1,ppi:2"],
     "--irq 'ppi:1,ppi:2': each CPU has its own ppi:N; give it once"),
    (["a", "b", "--core", "cortex-a8", "--irq", ",".join(f"spi:{n}" for n in range(9))],
     "--irq 'spi:0,spi:1,spi:2,spi:3,spi:4,spi:5,spi:6,spi:7,spi:8': more than 8 interrupts"),
    (["/absent/tree", "b", "--core", "cortex-a8", "--irq", "spi:1"],
     "cannot read '/absent/tree': No such file or directory; name a device tree"),
    (["/", "b", "--core", "cortex-a8", "--irq", "spi:1"],
     "cannot read '/': Is a directory; name a device tree"),
]


def with_words(tree, words):
    """The tree with other words in its header."""
    changed = bytearray(tree)
    for word, value in words.items():
        struct.pack_into(">I", changed, 4 * word, value)
    return bytes(changed)


class Dtb(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.out = self.folder / "out.dtb"

    def tree(self, root, pad=0):
        """A compiled tree."""
        file = self.folder / "in.dtb"
        subprocess.run(["dtc", "-q", "-f", "-I", "dts", "-O", "dtb", "-p", str(pad), "-o", file],
                       input=f"/dts-v1/;\n/ {{\n{root}}};\n", text=True, check=True,
                       stderr=subprocess.PIPE)
        return file

    def dtb(self, *words):
        return subprocess.run([ARMPMU, "dtb", *map(str, words)], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False)

    def assert_refused(self, words, sentence):
        run = self.dtb(*words)
        self.assertEqual((run.returncode, run.stdout, run.stderr),
                         (125, "", f"armpmu: {sentence}\n"))

    def assert_survived(self, content):
        """A tree comes out, or a sentence about it that names the file."""
        file = self.folder / "bad.dtb"
        file.write_bytes(content)
        run = self.dtb(file, self.out, "--core", "cortex-a8", "--irq", "spi:1")
        if run.returncode != 0:
            self.assertEqual(run.returncode, 125, (content, run))
            self.assertRegex(run.stderr, rf"\Aarmpmu: .*{file}.*\n\Z", content)

    def assert_done(self, *words):
        run = self.dtb(*words)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))

    def get(self, file, *words):
        return subprocess.run(["fdtget", *words[:-2], file, *words[-2:]], text=True, check=True,
                              stdout=subprocess.PIPE).stdout.strip()

    def source(self, file):
        """What a tree says, with nodes and properties in one order."""
        return subprocess.run(["dtc", "-q", "-s", "-I", "dtb", "-O", "dts", file], text=True,
                              check=True, stdout=subprocess.PIPE).stdout

    def pmus(self, file):
        return [line.strip() for line in self.source(file).splitlines() if "pmu" in line and
                line.strip().endswith("{")]

    def test_the_node_names_the_driver_and_the_interrupt(self):
        for root, irq, cells in MADE:
            with self.subTest(irq=irq, cells=cells):
                tree = self.tree(root)
                self.assert_done(tree, self.out, "--core", "cortex-a8", "--irq", irq)
                self.assertEqual(self.get(self.out, "/pmu", "compatible"), "arm,cortex-a8-pmu")
                self.assertEqual(self.get(self.out, "-t", "x", "/pmu", "interrupts"), cells)

    def test_only_pmus_of_cpus_are_replaced(self):
        self.assert_done(self.tree(GIC + OLD_PMUS), self.out, "--core", "cortex-a8", "--irq",
                         "spi:1")
        self.assertEqual(sorted(self.pmus(self.out)), ["cci-pmu@9000 {", "pmu {"])

    def test_the_rest_of_the_tree_stays(self):
        without = self.source(self.tree(GIC + CPUS))
        self.assert_done(self.tree(GIC + CPUS + OLD_PMU), self.out, "--core", "cortex-a8", "--irq",
                         "spi:1")
        subprocess.run(["fdtput", "-r", self.out, "/pmu"], check=True)
        self.assertEqual(self.source(self.out), without)

    def test_each_cpu_has_its_interrupt(self):
        self.assert_done(self.tree(GIC + CPUS), self.out, "--core", "cortex-a8", "--irq",
                         "spi:7,spi:9")
        handles = [self.get(self.out, "-t", "x", f"/cpus/cpu@{n}", "phandle") for n in (0, 1)]
        self.assertEqual(len(set(handles)), 2)
        self.assertEqual(self.get(self.out, "-t", "x", "/pmu", "interrupt-affinity"),
                         " ".join(handles))
        self.assertEqual(handles[1], self.get(self.tree(GIC + CPUS), "-t", "x", "/cpus/cpu@1",
                                              "phandle"))

    def test_once_more_changes_nothing(self):
        words = ("--core", "cortex-a8", "--irq", "spi:7,spi:9")
        self.assert_done(self.tree(GIC + CPUS), self.out, *words)
        again = self.folder / "again.dtb"
        self.assert_done(self.out, again, *words)
        self.assertEqual(self.source(again), self.source(self.out))

    def test_out_may_be_in(self):
        tree = self.tree(GIC + OLD_PMU)
        self.assert_done(tree, tree, "--core", "armv7_cortex_a8", "--irq", "spi:3")
        self.assertEqual(self.get(tree, "-t", "x", "/pmu", "interrupts"), "0 3 4")

    def test_a_padded_tree_is_as_good(self):
        self.assert_done(self.tree(GIC, pad=70000), self.out, "--core", "cortex-a8", "--irq",
                         "spi:3")
        self.assertLess(self.out.stat().st_size, 1000)

    def test_an_interrupt_the_controller_cannot_have_is_refused(self):
        for root, irq, sentence in IMPOSSIBLE:
            with self.subTest(sentence):
                tree = self.tree(root)
                self.assert_refused([tree, self.out, "--core", "cortex-a8", "--irq", irq],
                                    sentence.format(tree))
                self.assertFalse(self.out.exists())

    def test_a_controller_called_pmu_is_refused(self):
        tree = self.tree(GIC.replace("interrupt-controller@", "pmu@"))
        self.assert_refused([tree, self.out, "--core", "cortex-a8", "--irq", "spi:1"],
                            f"{tree}: the root's interrupt-parent is phandle 0x1 and no node has it; correct the tree's source")

    def test_what_is_no_tree_is_refused(self):
        good = self.tree(GIC).read_bytes()
        damaged = bytearray(good)
        begin = int.from_bytes(good[8:12], "big")
        damaged[begin:begin + 4] = b"\0\0\0\x77"
        cases = [
            (b"", NOT_A_TREE),
            (good[:39], NOT_A_TREE),
            (b"/dts-v1/;" + bytes(100), NOT_A_TREE),
            (good[:-1], f"truncated: it has {len(good) - 1} bytes, and {len(good)} by its header; copy it again"),
            (good[:40], f"truncated: it has 40 bytes, and {len(good)} by its header; copy it again"),
            (bytes(damaged), "a damaged device tree: FDT_ERR_BADSTRUCTURE"),
        ]
        file = self.folder / "bad.dtb"
        for content, sentence in cases:
            with self.subTest(sentence):
                file.write_bytes(content)
                self.assert_refused([file, self.out, "--core", "cortex-a8", "--irq", "spi:1"],
                                    f"{file}: {sentence}")
                self.assertFalse(self.out.exists())

    def test_other_versions_are_refused(self):
        good = self.tree(GIC).read_bytes()
        file = self.folder / "old.dtb"
        for version, readers in ((10, 10), (10, 1), (15, 15), (3, 2), (1, 1), (0, 0), (18, 18)):
            with self.subTest(version=version, readers=readers):
                file.write_bytes(with_words(good, {5: version, 6: readers}))
                self.assert_refused([file, self.out, "--core", "cortex-a8", "--irq", "spi:1"],
                                    f"{file}: version {version} of the format, for readers of "
                                    f"version {readers}; armpmu reads versions 16 and 17: make it again "
                                    "with dtc -V 17")
                self.assertFalse(self.out.exists())
        for version, readers in ((16, 16), (17, 16), (17, 17), (18, 16)):
            file.write_bytes(with_words(good, {5: version, 6: readers}))
            self.assert_done(file, self.out, "--core", "cortex-a8", "--irq", "spi:1")

    def test_any_header_is_survived(self):
        good = self.tree(GIC + CPUS + OLD_PMU).read_bytes()
        for word in range(1, 10):
            for value in (0, 1, 3, 4, 39, len(good) - 1, len(good), len(good) + 1, 0x7fffffff,
                          0x80000000, 0xfffffffc, 0xffffffff):
                self.assert_survived(with_words(good, {word: value}))

    def test_any_damaged_byte_is_survived(self):
        good = self.tree(GIC + CPUS + OLD_PMU).read_bytes()
        for at in range(0, len(good), 7):
            self.assert_survived(good[:at] + bytes([good[at] ^ 0x81]) + good[at + 1:])

    def test_the_tree_is_whole_or_as_it_was(self):
        """OUT is IN, and the disk too small for it."""
        tree = self.tree(GIC)
        good = tree.read_bytes()
        words = [ARMPMU, "dtb", tree, tree, "--core", "cortex-a8", "--irq", "spi:1"]
        tree.chmod(0o640)
        files = sorted(self.folder.iterdir())
        run = subprocess.run(words, capture_output=True, text=True, check=False, preexec_fn=lambda:
                             resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
        self.assertEqual((run.returncode, run.stderr),
                         (125, f"armpmu: cannot write {tree}: File too large; choose another file\n"))
        self.assertEqual((tree.read_bytes(), sorted(self.folder.iterdir())), (good, files))
        run = subprocess.run(words, capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertGreater(len(tree.read_bytes()), len(good))
        self.assertEqual((tree.stat().st_mode & 0o7777, sorted(self.folder.iterdir())), (0o640, files))

    def test_a_tree_goes_to_standard_output(self):
        tree = self.tree(GIC)
        words = [ARMPMU, "dtb", tree, "/dev/stdout", "--core", "cortex-a8", "--irq", "spi:1"]
        run = subprocess.run(words, capture_output=True, check=False)
        self.assertEqual((run.returncode, run.stderr, run.stdout[:4]), (0, b"", b"\xd0\x0d\xfe\xed"))

    def test_a_file_that_cannot_be_written_is_named(self):
        tree = self.tree(GIC)
        for out, reason in (("/absent/out", "No such file or directory; "),
                            ("/", "Is a directory; "),
                            ("/dev/full", "No space left on device; make room or ")):
            self.assert_refused([tree, out, "--core", "cortex-a8", "--irq", "spi:1"],
                                f"cannot write {out}: {reason}choose another file")

    def test_wrong_words_are_refused(self):
        for words, sentence in REFUSED:
            with self.subTest(sentence):
                self.assert_refused(words, sentence)

    def test_help(self):
        for words in (["help", "dtb"], ["dtb", "--help"], ["dtb", "-h"]):
            run = subprocess.run([ARMPMU, *words], capture_output=True, text=True, check=False)
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            self.assertTrue(run.stdout.startswith("usage: armpmu dtb IN OUT"))


if __name__ == "__main__":
    ARMPMU = os.path.abspath(sys.argv.pop(1))
    unittest.main()
