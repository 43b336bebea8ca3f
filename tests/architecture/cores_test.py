"""Tests cores.py, which must report each violation: one file at a time, in a tree of its own."""

import tempfile
import unittest
from pathlib import Path
from unittest import mock

import cores

RIGHT = {
    "src/catalog/cores.def": 'CORE("cortex-a8",  cortex_a8, cortex_a8, cortex_a8)\n'
                             'CORE("amuv1",      amuv1,     amu,       neoverse)\n',
    "src/catalog/cortex_a8.c": 'const char *name = "cortex-a8";\n',
    "src/pmu/cortex_a8.c": "const struct model pmu_model_cortex_a8;\n",
    "src/pmu/amu.c": "const struct model pmu_model_amuv1;\n",
    "src/cores/neoverse/core.c": "const struct core_model core_model_neoverse;\n",
    "src/cores/sim.c": '/* The Cortex-A8 has errors, too. */ const char *text = "/* a text */";\n',
}

WRONG = {
    "a text": ("src/cli/run/stat.c", 'is(core, "cortex-a8");'),
    "a text after a comment": ("src/cli/run/stat.c", '/* of "them" */ is(core, "amuv1");'),
    "an identifier": ("src/pmu/pins.c", "pmu->model == &pmu_model_cortex_a8;"),
    "an include": ("src/cli/a.c", '#include "cores/neoverse/core.h"'),
    "capitals": ("src/unicorn/engine.c", "UC_CPU_ARM_CORTEX_A8"),
    "a build file": ("src/cores/meson.build", "subdir('cortex_a8')  # Cortex-A8"),
    "another core's folder": ("src/cores/neoverse_next/core.c", "cortex_a8"),
    "a public header": ("include/armpmu/pmu.h", "enum { ARMPMU_CORTEX_A8 };"),
}


@mock.patch.object(cores, "ALLOWED", {"src/catalog/cores.def": "the registry"})
class Cores(unittest.TestCase):
    def complaints(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for path, text in files.items():
                file = Path(folder, path)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
            return cores.check(Path(folder))

    def test_a_right_tree_has_no_complaint(self):
        self.assertEqual(self.complaints(RIGHT), [])

    def test_each_wrong_file_is_one_complaint(self):
        for name, (path, text) in WRONG.items():
            with self.subTest(name):
                self.assertEqual(len(self.complaints({**RIGHT, path: text})), 1)

    def test_what_is_allowed_for_nothing_is_a_complaint(self):
        with mock.patch.dict(cores.ALLOWED, {"src/cores/sim.c": "once it did"}):
            self.assertEqual(len(self.complaints(RIGHT)), 1)

    def test_a_tree_without_a_registry_is_no_right_one(self):
        self.assertEqual(len(self.complaints({})), 1)


if __name__ == "__main__":
    unittest.main()
