#!/usr/bin/env python3
"""The last lines of armpmu stat: the function that takes most of the cycles, where there are names.

usage: hot_spot.py ARMPMU FOLDER_OF_THE_GUEST_MODULE
"""

import ctypes.util
import http.server
import os
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

sys.path.insert(0, sys.argv[2])

import guest  # noqa: E402

ARMPMU = Path(sys.argv[1]).resolve()
OLD_ARM = guest.Target("arm-linux-gnueabi-gcc", guest.QEMU, "pxa255", "gcc-arm-linux-gnueabi")
TARGETS = {"Cortex-A8": guest.ARM, "Cortex-R4F": guest.ARM._replace(machine="cortex-r4f"), "XScale": OLD_ARM,
           "Neoverse": guest.AARCH64}
SOURCE = """
static volatile int cells[1 << 20];
__attribute__((noinline)) static int strides(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += cells[i * 1024 % (1 << 20)]; /* hot */
    return sum;
}
int main(void)
{
    return strides(600000);
}
"""
HOT = next(n for n, line in enumerate(SOURCE.splitlines(), 1) if "/* hot */" in line)


class HotSpot(unittest.TestCase):
    def setUp(self):
        # pylint: disable-next=consider-using-with
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "hot.c").write_text(SOURCE, encoding="utf-8")

    def build(self, target, *options):
        missing = guest.missing_tools(target=target)
        if missing:
            self.skipTest(missing)
        subprocess.run([target.compiler, "-static", "-O1", *options, "hot.c", "-o", "hot"], cwd=self.folder, check=True)
        return ["--machine", target.machine] if target.machine else []

    def stat(self, *words, environment=None):
        answer = subprocess.run([ARMPMU, "stat", "-e", "cycles", *words, "./hot"], cwd=self.folder, text=True,
                                stdin=subprocess.DEVNULL, capture_output=True, check=False,
                                env={**os.environ, **(environment or {})})
        self.assertEqual(answer.returncode, 0, answer.stderr)
        return answer.stderr

    def test_the_function_and_its_line(self):
        for name, target in TARGETS.items():
            with self.subTest(name):
                machine = self.build(target, "-g")
                told = self.stat(*machine)
                self.assertRegex(told, rf" Hot spot: strides, [89]\d\.\d % of the cycles.*, most around hot\.c:{HOT}\.\n"
                                       " More: armpmu record")
                if name == "Cortex-A8":
                    self.assertRegex(told, r"cycles, (99\.\d|100\.0) % of L2_CACHE_MISS, most around")
                counts = told[:told.index(" Hot spot")]
                self.assertEqual(self.stat("--no-hot-spot", *machine), counts)

    def test_names_without_lines(self):
        machine = self.build(guest.ARM)
        self.assertRegex(self.stat(*machine), r" Hot spot: strides, 9\d\.\d % of the cycles, \S+ % of L2_CACHE_MISS\.\n")

    def test_names_of_a_stripped_program(self):
        """Dynamic symbols: its own that others may use, and those of its libraries."""
        target = guest.ARM
        missing = guest.missing_tools(target=target)
        if missing:
            self.skipTest(missing)
        (self.folder / "hot.c").write_text(SOURCE.replace("static int strides", "int strides"), encoding="utf-8")
        subprocess.run([target.compiler, "-O1", "-s", "-rdynamic", "hot.c", "-o", "hot"], cwd=self.folder, check=True)
        self.assertRegex(self.stat("--machine", target.machine or "cortex-a8"), r" Hot spot: strides, 9\d\.\d % of the cycles")

    def test_masked_interrupts_are_no_cost(self):
        """Firmware that never unmasks them has them masked in every cycle."""
        (self.folder / "hot.S").write_text(""".arm\n.global start\nstart: mov r0, #0x4000\n bl spins\n mov r0, #0
            ldr r1, =0xff000804\n str r0, [r1]\n b .\n.type spins, %function\nspins: subs r0, r0, #1\n bne spins\n bx lr
            """, encoding="utf-8")
        missing = guest.missing_tools(target=guest.ARM)
        if missing:
            self.skipTest(missing)
        subprocess.run([guest.ARM.compiler, "-marm", "-nostdlib", "-static", "-Wl,-Ttext=0x10000,-estart,--build-id=none",
                        "hot.S", "-o", "hot"], cwd=self.folder, check=True)
        told = self.stat("--engine", "unicorn", "--machine", "cortex-r4f")
        self.assertRegex(told, r" Hot spot: spins, (9\d\.\d|100\.0) % of the cycles")
        self.assertNotIn("DISABLED", told)

    def test_where_there_is_none(self):
        machine = self.build(guest.ARM, "-s")
        self.assertNotIn("Hot spot", self.stat(*machine))
        machine = self.build(guest.ARM, "-g")
        for words in (["-x", ","], ["-j"], ["-r", "2"], ["-I", "1"]):
            with self.subTest(words):
                self.assertNotIn("ot spot", self.stat(*words, *machine))

    def test_in_a_file(self):
        self.assertEqual(self.stat(*self.build(guest.ARM, "-g"), "-o", "report"), "")
        self.assertIn(" Hot spot: strides, ", (self.folder / "report").read_text(encoding="utf-8"))

    def test_servers_of_debug_information(self):
        """They get build ids with --debuginfod alone."""
        asked = []

        class Server(http.server.BaseHTTPRequestHandler):
            def do_GET(self):  # pylint: disable=invalid-name
                asked.append(self.path)
                self.send_error(404)

            def log_message(self, *_):  # pylint: disable=arguments-differ
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        environment = {"DEBUGINFOD_URLS": f"http://127.0.0.1:{server.server_port}", "HOME": str(self.folder)}
        machine = self.build(guest.ARM, "-Wl,--build-id")
        self.assertIn("Hot spot: strides", self.stat(*machine, environment=environment))
        self.assertEqual(asked, [])
        if ctypes.util.find_library("debuginfod") is None:
            self.skipTest("libdebuginfod1 is not installed")
        self.assertIn("Hot spot: strides", self.stat(*machine, "--debuginfod", environment=environment))
        self.assertRegex(asked[0], "^/buildid/[0-9a-f]+/debuginfo$")

    def test_firmware(self):
        (self.folder / "hot.S").write_text("""
            .global start\nstart: mov r0, #0x4000\n bl spins\n mov r0, #0x18\n ldr r1, =0x20026\n svc 0x123456
            .type spins, %function\nspins: subs r0, r0, #1\n bne spins\n bx lr\n""", encoding="utf-8")
        missing = guest.missing_tools(target=guest.ARM)
        if missing:
            self.skipTest(missing)
        subprocess.run([guest.ARM.compiler, "-marm", "-nostdlib", "-static", "-Wl,-Ttext=0x10000,-estart,--build-id=none",
                        "hot.S", "-o", "hot"], cwd=self.folder, check=True)
        self.assertRegex(self.stat("--engine", "unicorn"), r" Hot spot: spins, (9\d\.\d|100\.0) % of the cycles")


del sys.argv[1:]
unittest.main()
