"""Symbols, lines and inlined functions of programs that compilers made, compared with what binutils say.

usage: symbols.py SYMBOLS_DUMP
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARM, A64 = "arm-linux-gnueabihf-", "aarch64-linux-gnu-"

C_SOURCE = """
#include <stdlib.h>
#include <string.h>
static int square(int x) { return x * x + 1; }
static inline int twice(int x) { return square(x) + square(x + 1); }
__attribute__((noinline)) int hot(int *values, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += twice(values[i]);
    return sum;
}
static __attribute__((noinline)) int hidden(int n) { return n > 0 ? hot(&n, 1) * 3 : 7; }
int main(int argc, char **argv)
{
    int values[64];
    memset(values, argc, sizeof values);
    char *copy = malloc(64);
    strcpy(copy, argv[0]);
    return hot(values, 64) + hidden(copy[0]);
}
"""

CXX_SOURCE = """
#include <algorithm>
#include <vector>
namespace shapes {
template <typename T> struct Box { T v; T area() const { return v * v; } };
template <typename T> __attribute__((noinline)) T total(const std::vector<Box<T>> &boxes)
{
    T sum = 0;
    for (const auto &box : boxes)
        sum += box.area();
    return sum;
}
}
int main(int argc, char **)
{
    std::vector<shapes::Box<int>> boxes;
    for (int i = 0; i < 100; i++)
        boxes.push_back({i ^ argc});
    std::sort(boxes.begin(), boxes.end(), [](const auto &a, const auto &b) { return a.v < b.v; });
    return shapes::total(boxes);
}
"""


def run(*words, **options):
    return subprocess.run(words, check=True, capture_output=True, text=True, **options).stdout


class Dumped:
    """A line of symbols_dump."""

    def __init__(self, line):
        fields = line.split("\t")
        self.start, self.size = int(fields[1], 16), int(fields[2])
        self.symbol, self.name = fields[3:5]
        self.calls = [field.rsplit("@", 1) for field in fields[5:-1]]
        self.line = fields[-1]

    def lines(self):
        """As addr2line -i has them: innermost first."""
        return [os.path.normpath(line) for line in [self.line] + [call[1] for call in reversed(self.calls)]]


def dumped(path, addresses, bias=0, sysroot="-", calls=(), **options):
    text = "\n".join([f"call {address:#x}" for address in calls] + [f"{address:#x}" for address in addresses])
    environment = {name: value for name, value in os.environ.items() if name != "DEBUGINFOD_URLS"}
    return run(DUMP, str(path), hex(bias), str(sysroot), input=text, env=environment, **options)


def dump(*words, **options):
    out = dumped(*words, **options)
    return {int(line.split("\t")[0], 16): Dumped(line) for line in out.splitlines() if line.startswith("0x")}


def code_of(prefix, path):
    """Address of each instruction, and the label that objdump puts it under."""
    label, found = None, {}
    for line in run(prefix + "objdump", "-d", path).splitlines():
        if header := re.match(r"[0-9a-f]+ <(.*)>:$", line):
            label = header.group(1)
        elif insn := re.match(r" +([0-9a-f]+):\t(?!.*\t\.(word|short|byte))", line):
            found[int(insn.group(1), 16)] = label
    return found


def lines_of(prefix, path, addresses):
    """What addr2line says: for each address pairs of function and line, innermost first."""
    found, address = {}, None
    out = run(prefix + "addr2line", "-afiC", "-e", path, input="\n".join(map(hex, addresses)))
    for text in out.splitlines():
        if text.startswith("0x"):
            address = int(text, 16)
            found[address] = []
        else:
            found[address].append(re.sub(r" \(discriminator \d+\)", "", text))
    return {address: list(zip(texts[0::2], texts[1::2])) for address, texts in found.items()}


class Symbols(unittest.TestCase):
    def setUp(self):
        # pylint: disable-next=consider-using-with
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def compiled(self, *options, prefix=ARM, source=C_SOURCE, compiler="gcc", name="program"):
        if shutil.which(prefix + compiler) is None:
            self.skipTest(f"{prefix}{compiler} is not installed")
        file = self.folder / ("source.cc" if compiler == "g++" else "source.c")
        file.write_text(source, encoding="ascii")
        run(prefix + compiler, "-g", "-O2", *options, file, "-o", self.folder / name)
        return self.folder / name

    def assert_as_binutils(self, prefix, path, inlined, has_names=True):
        code = code_of(prefix, path)
        ours = dump(path, code)
        n_compared = n_inlined = 0
        for address, places in lines_of(prefix, path, code).items():
            found = ours[address]
            if places[0][1].startswith("??"):
                self.assertEqual((found.line, found.calls), ("?:0", []), hex(address))
                continue
            if places[0][1].endswith("?"):
                continue
            self.assertEqual(found.lines(), [os.path.normpath(place[1]) for place in places], hex(address))
            names = [call[0] for call in reversed(found.calls)]
            if has_names:
                self.assertEqual(names, [place[0] for place in places[:-1]], hex(address))
            n_compared += 1
            n_inlined += len(names) > 0
        self.assertGreater(n_compared, 30)
        self.assertGreater(n_inlined, inlined)
        return ours, code

    def test_lines_and_inlines_are_those_of_addr2line(self):
        for options in (("-mthumb",), ("-marm",), ("-gdwarf-4",), ("-gdwarf-5", "-ffunction-sections")):
            with self.subTest(options):
                path = self.compiled(*options)
                self.assert_as_binutils(ARM, path, 2)

    def test_relative_files_are_below_the_folder_of_the_compiler(self):
        path = self.compiled()
        (self.folder / "build").mkdir()
        run(ARM + "gcc", "-g", "-O2", "../build/.././source.c", "-o", path, cwd=self.folder / "build")
        ours, _ = self.assert_as_binutils(ARM, path, 2)
        files = {found.line.rsplit(":", 1)[0] for found in ours.values()}
        self.assertEqual({file for file in files if file.endswith("source.c")}, {str(self.folder / "source.c")})

    def test_lines_and_inlines_of_a64_are_those_of_addr2line(self):
        self.assert_as_binutils(A64, self.compiled(prefix=A64), 2)

    def test_functions_are_those_of_objdump(self):
        for prefix in (ARM, A64):
            with self.subTest(prefix):
                path = self.compiled(prefix=prefix)
                code = code_of(prefix, path)
                ours = dump(path, code)
                for address, label in code.items():
                    if not label.startswith("."):  # the PLT's own first entry
                        self.assertEqual(ours[address].symbol, label, hex(address))
                named = {label for label in code.values() if label.endswith("@plt")}
                self.assertTrue({"malloc@plt", "strcpy@plt"} <= named)

    def test_cxx_is_demangled(self):
        path = self.compiled(source=CXX_SOURCE, compiler="g++")
        # addr2line calls some functions by what they are inlined into.
        ours, _ = self.assert_as_binutils(ARM, path, 100, has_names=False)
        names = {found.name: found.symbol for found in ours.values()}
        self.assertEqual(names["int shapes::total<int>(std::vector<shapes::Box<int>, "
                               "std::allocator<shapes::Box<int> > > const&)"],
                         "_ZN6shapes5totalIiEET_RKSt6vectorINS_3BoxIS1_EESaIS4_EE")
        self.assertIn("operator new(unsigned int)@plt", names)

    def test_a_stripped_program_has_the_functions_that_unwinding_knows(self):
        for prefix in (A64, ARM):
            path = self.compiled("-fasynchronous-unwind-tables", prefix=prefix)
            wanted = {label: min(a for a, l in code_of(prefix, path).items() if l == label)
                      for label in ("hot", "hidden", "main")}
            run(prefix + "strip", path)
            ours = dump(path, [address + 4 for address in wanted.values()])
            for label, start in wanted.items():
                found = ours[start + 4]
                self.assertEqual((found.start, found.name), (start, f"program+{start:#x}"), label)
                self.assertEqual(found.line, "?:0")
        plt = {dump(path, [address])[address].name for address in code_of(ARM, path)}
        self.assertIn("memset@plt", plt)

    def test_a_stripped_program_has_the_functions_that_are_called(self):
        path = self.compiled("-fno-asynchronous-unwind-tables", prefix=A64)
        start = min(a for a, label in code_of(A64, path).items() if label == "hidden")
        run(A64 + "strip", path)
        ours = dump(path, [start + 8], calls=[start])
        self.assertEqual((ours[start + 8].start, ours[start].name), (start, f"program+{start:#x}"))

    def split(self, path, debug):
        debug.parent.mkdir(parents=True, exist_ok=True)
        run(ARM + "objcopy", "--only-keep-debug", path, debug)
        run(ARM + "strip", path)

    def assert_has_lines(self, path, start, **options):
        found = dump(path, [start + options.get("bias", 0)], **options)[start + options.get("bias", 0)]
        self.assertEqual((found.name, found.start), ("hidden", start + options.get("bias", 0)))
        self.assertRegex(found.line, r"/source\.c:13$")

    def test_debug_files_are_found(self):
        build_id = re.compile(r"Build ID: ([0-9a-f]+)")
        for where in ("beside", "in .debug", "installed", "installed elsewhere", "by build id"):
            with self.subTest(where):
                path = self.compiled()
                start = min(a for a, label in code_of(ARM, path).items() if label == "hidden")
                identity = build_id.search(run(ARM + "readelf", "-n", path)).group(1)
                sysroot = self.folder / "sysroot"
                debug = {"beside": self.folder / "its_debug_data",
                         "in .debug": self.folder / ".debug/its_debug_data",
                         "installed": sysroot / f"usr/lib/debug{self.folder}/its_debug_data",
                         "installed elsewhere": sysroot / f"usr/lib/debug/{self.folder.name}/its_debug_data",
                         "by build id": sysroot / f"usr/lib/debug/.build-id/{identity[:2]}/{identity[2:]}.debug"}
                self.split(path, debug[where])
                self.assertEqual(dump(path, [start])[start].line, "?:0")
                if where != "by build id":
                    run(ARM + "objcopy", f"--add-gnu-debuglink={debug[where]}", path)
                self.assert_has_lines(path, start, sysroot=sysroot)
                (self.folder / "links").mkdir(exist_ok=True)
                link = self.folder / "links/program"
                link.unlink(missing_ok=True)
                link.symlink_to(path)
                self.assert_has_lines(link, start, sysroot=sysroot)
                debug[where].unlink()

    def test_a_relative_sysroot_has_debug_files(self):
        path = self.compiled()
        start = min(a for a, label in code_of(ARM, path).items() if label == "hidden")
        identity = re.search(r"Build ID: ([0-9a-f]+)", run(ARM + "readelf", "-n", path)).group(1)
        self.split(path, self.folder / f"root/usr/lib/debug/.build-id/{identity[:2]}/{identity[2:]}.debug")
        self.assert_has_lines(path, start, sysroot="root", cwd=self.folder)

    def test_split_debug_data(self):
        """Those of -gsplit-dwarf, which lie beside the object, or nowhere: addr2line does not read them."""
        for prefix, version in ((ARM, 4), (ARM, 5), (A64, 5)):
            with self.subTest([prefix, version]):
                whole = self.compiled(f"-gdwarf-{version}", prefix=prefix, name="whole")
                split = self.compiled(f"-gdwarf-{version}", "-gsplit-dwarf", prefix=prefix, name="split")
                code = code_of(prefix, whole)
                self.assertEqual(code, code_of(prefix, split))
                wanted, found = dump(whole, code), dump(split, code)
                self.assertGreater(sum(len(found[address].calls) for address in code), 2)
                for address in code:
                    self.assertEqual((found[address].line, found[address].calls),
                                     (wanted[address].line, wanted[address].calls), hex(address))
                [dwo] = self.folder.glob("*.dwo")
                dwo.unlink()
                self.assertRegex(dumped(split, code), rf"lacks split debug data are missing \(1, first '.*{dwo.name}'\)")
                for address, one in dump(split, code).items():
                    self.assertEqual((one.line, one.calls), (wanted[address].line, []))

    def test_debug_data_that_cannot_be_read(self):
        path = self.compiled()
        contents = self.folder / "contents"
        contents.write_bytes(b"\0" * 40)
        code = code_of(ARM, path)
        self.assertNotIn("lacks", dumped(path, code))
        run(ARM + "objcopy", f"--update-section=.debug_info={contents}", path)
        self.assertIn("lacks its debug data cannot be read", dumped(path, code))
        run(ARM + "strip", path)
        self.assertNotIn("lacks", dumped(path, code))

    def test_a_sysroot_comes_first(self):
        path = self.compiled()
        start = min(a for a, label in code_of(ARM, path).items() if label == "hidden")
        below = self.folder / "root" / path.relative_to("/")
        below.parent.mkdir(parents=True)
        path.rename(below)
        self.assertEqual(dump(path, [start])[start].name, f"program+{start & ~0xfff:#x}")
        self.assert_has_lines(path, start, sysroot=self.folder / "root")

    def test_a_static_pie_is_where_it_was_loaded(self):
        for prefix, options in ((ARM, ("-nostartfiles", "-Wl,-e,main")), (A64, ())):  # armhf has no rcrt1.o
            with self.subTest(prefix):
                path = self.compiled("-static-pie", *options, prefix=prefix)
                start = min(a for a, label in code_of(prefix, path).items() if label == "hidden")
                self.assert_has_lines(path, start, bias=0x40000000)

    def test_a_program_without_debug_data_has_names(self):
        path = self.compiled("-g0")
        start = min(a for a, label in code_of(ARM, path).items() if label == "hidden")
        found = dump(path, [start + 2])[start + 2]
        self.assertEqual((found.name, found.line), ("hidden", "?:0"))

    def test_a_size_that_is_too_small_does_not_end_a_function(self):
        source = C_SOURCE + 'asm(".type small, %function\\nsmall: nop\\n.size small, 2\\nnop\\nnop\\nnop");'
        path = self.compiled(source=source)
        start = int(re.search(r"([0-9a-f]+) t small", run(ARM + "nm", path)).group(1), 16) & ~1
        found = dump(path, [start, start + 4])
        self.assertEqual((found[start + 4].name, found[start + 4].start, found[start].size), ("small", start, 8))

    def test_a_call_into_a_function_has_its_name(self):
        path = self.compiled()
        start = min(a for a, label in code_of(ARM, path).items() if label == "hot")
        ours = dump(path, [start], calls=[start + 4])
        self.assertEqual((ours[start + 4].name, ours[start].name), ("hot", "hot"))

    def test_another_file_of_the_same_name_has_no_symbols(self):
        path = self.compiled()
        start = min(a for a, label in code_of(ARM, path).items() if label == "hidden")
        self.assertEqual(dump(f"{path}?00ff", [start])[start].name, f"program+{start & ~0xfff:#x}")
        identity = re.search(r"Build ID: ([0-9a-f]+)", run(ARM + "readelf", "-n", path)).group(1)
        self.assertEqual(dump(f"{path}?{identity}", [start])[start].name, "hidden")

    def test_code_of_no_file_is_named_by_its_address(self):
        ours = dump("-", [0x7f001004, 0x7f001010, 0x7f003000], calls=[0x7f001008])
        self.assertEqual([found.name for found in ours.values()],
                         ["[0x7f001008]", "[0x7f001000]", "[0x7f001008]", "[0x7f003000]"])
        self.assertEqual(dump("[anonymous]", [0x5004])[0x5004].name, "[0x5000]")
        self.assertEqual(dump("[vdso]", [0xffff0104], bias=0xffff0000)[0xffff0104].name, "[vdso]+0x0")
        self.assertEqual(dump("/no/such/libx.so", [0x40001234], bias=0x40000000)[0x40001234].name, "libx.so+0x1000")

    def test_damaged_files_are_survived(self):
        path = self.compiled("-static")
        code = list(code_of(ARM, path))[::50]
        whole = path.read_bytes()
        for i in range(20):
            cut = len(whole) * i // 20
            path.write_bytes(whole[:cut])
            self.assertEqual(len(dump(path, code)), len(code))
            path.write_bytes(whole[:cut] + bytes(16) + whole[cut + 16:])
            self.assertEqual(len(dump(path, code)), len(code))


if __name__ == "__main__":
    DUMP = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
