#!/usr/bin/env python3
"""Code that a program makes has the names that the program writes for perf, in a map or a dump of each of its processes.

usage: jit_map.py ARMPMU FOLDER_OF_THE_GUEST_MODULE
"""

import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, sys.argv[2])

import guest  # noqa: E402

ARMPMU = Path(sys.argv[1]).resolve()
TARGETS = {"A32": guest.ARM, "A64": guest.AARCH64}

# Two functions that count down, in the parent and in its child, which names its own; then what the argument says.
SOURCE = r"""
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static uint32_t *code;

static void make(uint32_t *at)
{
#ifdef __aarch64__
    static const uint32_t words[] = {0x71000400, 0x54ffffe1, 0xd65f03c0};
#else
    static const uint32_t words[] = {0xe2500001, 0x1afffffd, 0xe12fff1e};
#endif
    memcpy(at, words, sizeof words);
    __builtin___clear_cache((char *)at, (char *)at + sizeof words);
}

static void call(unsigned first, unsigned second)
{
    ((void (*)(unsigned))(uintptr_t)code)(first);
    ((void (*)(unsigned))(uintptr_t)(code + 64))(second);
}

static void name(const char *way, const char *prefix)
{
    char path[64], other[80];
    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
    snprintf(other, sizeof other, "%s.other", path);
    FILE *const file = fopen(strcmp(way, "link") == 0 ? other : path, "w");
    if (file == NULL)
        _exit(3);
    fprintf(file, "not a line\n%lx 8 older\n%lx c %sadd<int>(int, x) a.js:3\n0x%lx 100 %sbeta;gamma\n%lx 0 empty\n",
            (long)code, (long)code, prefix, (long)(code + 64), prefix, (long)(code + 64));
    fclose(file);
    if (strcmp(way, "link") == 0)
        (void)!symlink(other, path);
    FILE *const list = fopen("maps", "a");
    fprintf(list, "%s\n%s\n", path, other);
    fclose(list);
}

static void put(FILE *file, uint64_t n, size_t bytes)
{
    fwrite(&n, bytes, 1, file);
}

static void describe(FILE *file, const uint32_t *at, const char *text)
{
    put(file, 0, 4);
    put(file, 56 + strlen(text) + 1 + 12, 4);
    for (int i = 0; i < 4; i++)
        put(file, i < 2 ? 0 : (uintptr_t)at, 8);
    put(file, 12, 8);
    put(file, 1, 8);
    fwrite(text, strlen(text) + 1, 1, file);
    fwrite(at, 12, 1, file);
}

static void dump(void)
{
    char path[64];
    snprintf(path, sizeof path, "jit-%d.dump", (int)getpid());
    FILE *const file = fopen(path, "w");
    const uint32_t header[10] = {0x4a695444, 1, 40};
    fwrite(header, sizeof header, 1, file);
    describe(file, code, "add<int>(int, x) a.js:3");
    describe(file, code + 64, "beta;gamma");
    fclose(file);
    fclose(fopen("maps", "a"));
}

int main(int argc, char **argv)
{
    const char *const way = argc > 1 ? argv[1] : "";
    code = mmap((void *)0x60000000, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    make(code);
    make(code + 64);
    if (strcmp(way, "fork") == 0) {
        if (fork() == 0) {
            call(7, 9);
            code += 128;
            make(code);
            make(code + 64);
            call(30, 40);
            name(way, "child ");
            _exit(0);
        }
        wait(NULL);
    }
    call(1000, 2000);
    if (strcmp(way, "dump") == 0)
        dump();
    else
        name(way, "");
    return 0;
}
"""


class JitMap(unittest.TestCase):
    def setUp(self):
        # pylint: disable-next=consider-using-with
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        missing = next(filter(None, (guest.missing_tools(target=target) for target in TARGETS.values())), None)
        if missing:
            self.skipTest(missing)
        (self.folder / "jit.c").write_text(SOURCE, encoding="utf-8")

    def tearDown(self):
        for path in (self.folder / "maps").read_text(encoding="utf-8").split():
            Path(path).unlink(missing_ok=True)

    def names(self, way):
        """Function in no object -> instructions that were retired there, for each target."""
        for label, target in TARGETS.items():
            program = guest.compile_program(self.folder / "jit.c", self.folder / label, ["-static", "-O1"], target)
            machine = ["--machine", target.machine] if target.machine else []
            subprocess.run([ARMPMU, "record", "-q", "-g", *machine, "-e", "instructions", "--", program, way], check=True,
                           cwd=self.folder, stdin=subprocess.DEVNULL, timeout=120)
            rows = sqlite3.connect(self.folder / "armpmu.data").execute(
                "SELECT function.name, SUM(n) FROM count JOIN insn ON insn.id = insn JOIN function ON function.id ="
                " insn.function WHERE insn.object IS NULL AND insn.bytes IS NOT NULL GROUP BY function.name")
            yield label, dict(rows)

    def test_names(self):
        for label, names in (*self.names("plain"), *self.names("dump")):
            with self.subTest(label):
                self.assertEqual(names.get("add<int>(int, x) a.js:3"), 2 * 1000 + 1)
                self.assertEqual(names.get("beta;gamma"), 2 * 2000 + 1)

    def test_each_process_has_its_names(self):
        for label, names in self.names("fork"):
            with self.subTest(label):
                self.assertEqual(names.get("add<int>(int, x) a.js:3"), 2 * 1000 + 1 + 2 * 7 + 1)
                self.assertEqual(names.get("child add<int>(int, x) a.js:3"), 2 * 30 + 1)
                self.assertEqual(names.get("child beta;gamma"), 2 * 40 + 1)

    def test_another_file_is_not_followed(self):
        for label, names in self.names("link"):
            with self.subTest(label):
                self.assertEqual([name for name in names if "add" in name or "beta" in name], [])
                self.assertIn(2 * 1000 + 1, names.values())


del sys.argv[1:]
unittest.main()
