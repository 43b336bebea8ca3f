"""Tests includes.py, which must report each violation: one wrong line at a time, in a tree of its own."""

import tempfile
import unittest
from pathlib import Path

import includes

RIGHT = {
    "include/armpmu/catalog.h": '#include <stdint.h>\n#include "armpmu/status.h"\n',
    "src/machine/machine.c": '#include <ini.h>\n#include "machine/machine.h"\n#include "base/error.h"\n',
    "src/isa/decode.c": '#include <capstone/capstone.h>\n#include "isa/insn.h"\n',
    "src/cores/cortex_a8/core.c": '#include "parts/cache.h"\n#include "isa/insn.h"\nARMPMU_SIGNAL_L1D_REFILL\n',
    "src/base/elf_file.c": "#include <gelf.h>\n",
    "src/qemu/launcher/launch.c": '#include "qemu/engine.h"\n#include "qemu/ring/layout.h"\n',
    "src/cli/run/stat.c": '#include <jansson.h>\n#include "qemu/engine.h"\n#include "cli/commands.h"\n',
}

WRONG = {
    "public header knows a private one": ("include/armpmu/a.h", '#include "machine/machine.h"'),
    "catalogue knows a core model": ("src/catalog/a.c", '#include "parts/cache.h"'),
    "decoder knows a core model": ("src/isa/a.c", '#include "parts/cache.h"'),
    "core model knows an engine": ("src/cores/a.c", '#include "qemu/engine.h"'),
    "core model knows the catalogue's insides": ("src/cores/a.c", '#include "catalog/rows.h"'),
    "core model knows an event": ("src/cores/a.c", "armpmu_event_by_number(core, 3);"),
    "core model knows another": ("src/cores/xscale/a.c", '#include "cores/neoverse/core.h"'),
    "part of a core knows a signal": ("src/parts/a.c", "ARMPMU_SIGNAL_L1D_REFILL"),
    "decoder knows a signal": ("src/isa/a.c", "ARMPMU_SIGNAL_L1D_REFILL"),
    "engine knows a cache": ("src/qemu/launcher/a.c", '#  include "parts/cache.h"'),
    "command knows one engine's insides": ("src/cli/a.c", '#include "qemu/ring/layout.h"'),
    "libelf leaves its file": ("src/base/own_path.c", "#include <libelf.h>"),
    "libfdt leaves its folder": ("src/qemu/launcher/a.c", "#include <libfdt.h>"),
    "command knows a core model": ("src/cli/a.c", '#include "parts/cache.h"'),
    "capstone leaves its folder": ("src/cores/a.c", "#include <capstone/capstone.h>"),
    "a folder without a rule": ("src/extra/a.c", ""),
}


class Arrows(unittest.TestCase):
    def complaints(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for path, text in files.items():
                file = Path(folder, path)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
            return includes.check(Path(folder))

    def test_a_right_tree_has_no_complaint(self):
        self.assertEqual(self.complaints(RIGHT), [])

    def test_each_wrong_line_is_one_complaint(self):
        for name, (path, text) in WRONG.items():
            with self.subTest(name):
                self.assertEqual(len(self.complaints({**RIGHT, path: text})), 1)

    def test_a_tree_without_sources_is_no_right_one(self):
        self.assertEqual(len(self.complaints({})), 2)


if __name__ == "__main__":
    unittest.main()
