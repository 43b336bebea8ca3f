"""The device library without the rest of armpmu: built with -Dcommand=disabled, as a subproject of Meson, through
CMake, and as copied sources, with other names too.

usage: alone.py MESON SOURCE_ROOT EMBED VERSION -- C_COMPILER... -- SOURCE...

EMBED: an embedder's program, which prints the library's version. SOURCE: each of the library's.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CMAKE = """cmake_minimum_required(VERSION 3.16)
project(embed C)
find_package(PkgConfig REQUIRED)
pkg_check_modules(ARMPMU REQUIRED IMPORTED_TARGET libarmpmu)
add_executable(embed embed.c)
target_link_libraries(embed PRIVATE PkgConfig::ARMPMU)
"""

SUBPROJECT = """project('embed', 'c', default_options: ['c_std=c11'])
armpmu = dependency('libarmpmu', fallback: 'armpmu')
executable('embed', 'embed.c', dependencies: armpmu)
"""

# A program with a function of the name that Linux has, and the library beside it.
OWN_NAME = """#include <stdio.h>
int armpmu_read(int event);
int armpmu_read(int event) { return event + 1; }
int embed(void);
int main(void) { return armpmu_read(41) == 42 ? embed() : 1; }
"""


class Alone(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="armpmu-alone-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_in(self, folder, *command, **environment):
        run = subprocess.run([str(word) for word in command], cwd=folder, text=True, check=False,
                             capture_output=True, env={**os.environ, **environment})
        self.assertEqual(run.returncode, 0, (command, run.stdout[-2000:], run.stderr[-2000:]))
        return run.stdout

    folder_of_all = None

    def built(self):
        """Built once for all tests; nothing is found by pkg-config."""
        if Alone.folder_of_all is None:
            Alone.folder_of_all = self.build()
        return Alone.folder_of_all

    def build(self):
        holder = tempfile.TemporaryDirectory(prefix="armpmu-alone-")
        self.addClassCleanup(holder.cleanup)
        folder = Path(holder.name)
        (folder / "nothing").mkdir()
        log = self.run_in(folder, MESON, "setup", "build", ROOT, "-Dcommand=disabled", f"--prefix={folder}/installed",
                          "--libdir=lib", PKG_CONFIG_LIBDIR=f"{folder}/nothing", PKG_CONFIG_PATH="")
        self.assertNotIn("Dependency", log)
        self.assertNotIn("Library", log)
        self.run_in(folder, MESON, "compile", "-C", "build")
        self.assertEqual([], list((folder / "build").rglob("armpmu")))
        self.run_in(folder, MESON, "install", "-C", "build")
        return folder

    def test_it_is_built_without_any_dependency(self):
        library = self.built() / "build/src/libarmpmu.so"
        needs = self.run_in(self.folder, "objdump", "-p", library)
        self.assertNotIn("NEEDED", needs)
        self.run_in(self.folder, *CC, f"-I{ROOT}/include", EMBED, library, "-o", "embed")
        self.assertIn(VERSION, self.run_in(self.folder, "./embed", LD_LIBRARY_PATH=str(library.parent)))

    def test_its_headers_alone_are_installed(self):
        """Each is of what is there: what it declares is defined in the library."""
        installed = self.built() / "installed"
        headers = installed / "include/armpmu"
        self.assertEqual({"catalog.h", "output.def", "pin.def", "pmu.h", "prefix.h", "register.h", "signal.def", "status.h"},
                         {path.name for path in headers.iterdir()})
        self.run_in(self.folder, *CC, f"-I{installed}/include", EMBED, installed / "lib/libarmpmu.so", "-o", "embed")

    def test_a_subproject_of_meson_is_the_library_alone(self):
        (self.folder / "meson.build").write_text(SUBPROJECT)
        shutil.copy(EMBED, self.folder / "embed.c")
        (self.folder / "subprojects").mkdir()
        (self.folder / "subprojects/armpmu").symlink_to(ROOT)
        log = self.run_in(self.folder, MESON, "setup", "build", "--wrap-mode=forcefallback")
        self.assertNotIn("capstone", log)
        self.run_in(self.folder, MESON, "compile", "-C", "build")
        self.assertIn(VERSION, self.run_in(self.folder, "build/embed"))

    def test_cmake_finds_it_through_pkg_config(self):
        if shutil.which("cmake") is None:
            self.skipTest("no cmake")
        (self.folder / "CMakeLists.txt").write_text(CMAKE)
        shutil.copy(EMBED, self.folder / "embed.c")
        libraries = self.built() / "installed/lib"
        self.run_in(self.folder, "cmake", "-G", "Ninja", "-B", "cmake", PKG_CONFIG_PATH=str(libraries / "pkgconfig"))
        self.run_in(self.folder, "cmake", "--build", "cmake")
        self.assertIn(VERSION, self.run_in(self.folder, "cmake/embed", LD_LIBRARY_PATH=str(libraries)))

    def copy_sources(self):
        """By the words of docs/library.md; returns the compiler's line of that page."""
        page = (ROOT / "docs/library.md").read_text()
        copies = re.search(r"^    (cp .*armpmu/include.*)$", page, re.MULTILINE)[1]
        line = re.search(r"^    (cc .*our/armpmu.*)$", page, re.MULTILINE)[1]
        (self.folder / "our/armpmu").mkdir(parents=True)
        (self.folder / "armpmu").symlink_to(ROOT)
        shutil.copy(EMBED, self.folder / "emulator.c")
        self.run_in(self.folder, "sh", "-e", "-c", copies)
        return line.replace("cc ", " ".join(CC) + " ", 1)

    def test_copied_sources_need_one_line(self):
        self.run_in(self.folder, "sh", "-c", self.copy_sources())
        self.assertIn(VERSION, self.run_in(self.folder, "./emulator"))

    def test_the_copied_sources_are_those_of_the_library(self):
        self.copy_sources()
        copied = {path.name for path in (self.folder / "our/armpmu").rglob("*.c")}
        self.assertEqual(copied, {Path(path).name for path in SOURCES})

    def test_a_program_may_have_names_of_its_own(self):
        line = self.copy_sources()
        (self.folder / "own.c").write_text(OWN_NAME)
        self.run_in(self.folder, *CC, "-c", "own.c", "-o", "own.o")
        self.run_in(self.folder, "sh", "-c", line.replace("-I", "-DARMPMU_PREFIX=our_ -Dmain=embed -I", 1)
                    .replace("emulator.c", "emulator.c own.o"))
        self.assertIn(VERSION, self.run_in(self.folder, "./emulator"))

    def test_every_function_of_the_interface_can_have_another_name(self):
        symbols = self.run_in(self.folder, "nm", "-D", "--defined-only", self.built() / "build/src/libarmpmu.so")
        exported = {symbol.split()[-1].partition("@")[0] for symbol in symbols.splitlines() if " A " not in symbol}
        header = (ROOT / "include/armpmu/prefix.h").read_text()
        self.assertEqual(exported, set(re.findall(r"^#define (armpmu_\w+)", header, re.MULTILINE)))

    def test_the_headers_know_the_version(self):
        header = (ROOT / "include/armpmu/status.h").read_text()
        parts = re.findall(r"^#define ARMPMU_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.MULTILINE)
        self.assertEqual(".".join(parts), VERSION)

    def test_headers_give_no_warning(self):
        own = [path.name for path in sorted((ROOT / "include/armpmu").glob("*.h"))]
        text = "".join(f'#include "armpmu/{name}"\n' for name in own if name != "prefix.h")
        strict = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror", "-fsyntax-only"]
        for language, standards in (("c", ["c99", "c11"]), ("c++", ["c++11", "c++14", "c++17", "c++20"])):
            if language == "c++" and shutil.which("g++") is None:
                continue
            code = self.folder / ("all.c" if language == "c" else "all.cpp")
            code.write_text(text)
            compiler = CC if language == "c" else ["g++"]
            for standard in standards:
                with self.subTest(standard):
                    self.run_in(self.folder, *compiler, f"-std={standard}", *strict, f"-I{ROOT}/include", code)


if __name__ == "__main__":
    mark = sys.argv.index("--")
    second = sys.argv.index("--", mark + 1)
    MESON, ROOT, EMBED, VERSION = sys.argv[1:mark]
    ROOT, CC, SOURCES = Path(ROOT), sys.argv[mark + 1:second], sys.argv[second + 1:]
    unittest.main(argv=sys.argv[:1])
