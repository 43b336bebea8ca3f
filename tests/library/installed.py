"""What `meson install` leaves behind is enough for an embedder.

usage: installed.py MESON BUILD PREFIX LIBDIR VERSION EMBED -- C_COMPILER... -- CPP_COMPILER...

Installs BUILD into a folder of its own and uses nothing but that: every header compiles alone as C11
and as C++17, EMBED builds as both with what pkg-config says and runs with the shared library, and
once more with the static one. CPP_COMPILER may be missing.
"""

import os
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

# The least that needs the core models, and through them the libraries below them.
MACHINE_PROGRAM = """#include "armpmu/sim.h"
int main(void)
{
    struct armpmu_machine *machine;
    return armpmu_machine_load("no-such-machine", "", &machine, NULL) == ARMPMU_NOT_FOUND ? 0 : 1;
}
"""

STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def output_of(command, **more):
    return subprocess.run(command, text=True, check=True, stdout=subprocess.PIPE, **more).stdout


def split(arguments, separator):
    if separator not in arguments:
        return [arguments]
    place = arguments.index(separator)
    return [arguments[:place]] + split(arguments[place + 1:], separator)


class Installed(unittest.TestCase):
    meson = build = version = embed = None
    prefix = libdir = None
    languages = {}  # name: compiler and how it is told the language

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        root = Path(cls.folder.name)
        subprocess.run([cls.meson, "install", "-C", cls.build, "--no-rebuild", "--quiet",
                        "--destdir", root], check=True, stdout=subprocess.DEVNULL)
        cls.tree = root / cls.prefix.lstrip("/")
        cls.libraries = cls.tree / cls.libdir
        cls.out = root / "out"
        cls.out.mkdir()

    def pkg_config(self, *options):
        path = {"PKG_CONFIG_PATH": str(self.libraries / "pkgconfig")}
        prefix = str(self.tree).replace(" ", "\\ ")
        return shlex.split(output_of(["pkg-config", f"--define-variable=prefix={prefix}", *options],
                                     env={**os.environ, **path}))

    def compile(self, name, language, flags, libraries):
        program = self.out / name
        subprocess.run([*self.languages[language], *STRICT, *flags, self.embed, "-x", "none",
                        *libraries, "-o", program], check=True)
        return program

    def needed_libraries(self, program):
        return [line for line in output_of(["objdump", "-p", program]).splitlines() if "NEEDED" in line]

    def test_every_header_compiles_alone(self):
        headers = sorted((self.tree / "include").rglob("*.h"))
        self.assertIn(self.tree / "include/armpmu/pmu.h", headers)
        cflags = self.pkg_config("--cflags", "libarmpmu")
        for header in headers:
            for language, compiler in self.languages.items():
                with self.subTest(header=header.name, language=language):
                    subprocess.run([*compiler, *STRICT, *cflags, "-fsyntax-only", "-"], check=True,
                                   input=f'#include "armpmu/{header.name}"\nextern int any;\n', text=True)

    def test_a_program_runs_with_the_shared_library(self):
        for language in self.languages:
            with self.subTest(language):
                program = self.compile(f"shared-{language}", language,
                                       self.pkg_config("--cflags", "libarmpmu"),
                                       self.pkg_config("--libs", "libarmpmu"))
                self.assertTrue(any("libarmpmu.so.1" in line
                                    for line in self.needed_libraries(program)))
                self.assertIn("ARMPMU_1.0", output_of(["objdump", "-p", program]))
                said = output_of([program], env={"LD_LIBRARY_PATH": str(self.libraries)})
                self.assertEqual(said.strip(), self.version)

    def test_a_program_runs_with_the_static_library(self):
        program = self.compile("static", "c11", self.pkg_config("--cflags", "libarmpmu"),
                               [self.libraries / "libarmpmu.a"])
        self.assertEqual(output_of([program]).strip(), self.version)

    def test_a_program_runs_with_the_core_models(self):
        program = self.out / "machine"
        subprocess.run([*self.languages["c11"], *STRICT, *self.pkg_config("--cflags", "libarmpmu-sim"),
                        "-", "-x", "none", *self.pkg_config("--libs", "libarmpmu-sim"), "-o", program],
                       input=MACHINE_PROGRAM, text=True, check=True)
        output_of([program], env={"LD_LIBRARY_PATH": str(self.libraries)})

    def test_versions_agree(self):
        for package in ("libarmpmu", "libarmpmu-sim"):
            self.assertEqual(self.pkg_config("--modversion", package), [self.version])
        self.assertEqual((self.libraries / "libarmpmu.so").resolve().name, "libarmpmu.so.1.0.0")

    def test_the_command_needs_no_library_of_ours(self):
        command = self.tree / "bin/armpmu"
        self.assertIn(self.version, output_of([command, "--version"]))
        self.assertEqual([line for line in self.needed_libraries(command) if "armpmu" in line], [])


def main(arguments):
    own, c_compiler, cpp_compiler = split(arguments, "--")
    (Installed.meson, Installed.build, Installed.prefix, Installed.libdir, Installed.version,
     Installed.embed) = own
    Installed.languages = {"c11": [*c_compiler, "-x", "c", "-std=c11"]}
    if cpp_compiler:
        Installed.languages["c++17"] = [*cpp_compiler, "-x", "c++", "-std=c++17"]
    unittest.main(argv=sys.argv[:1])


if __name__ == "__main__":
    main(sys.argv[1:])
