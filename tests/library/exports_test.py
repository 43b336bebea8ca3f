"""Tests exports.py, which must report each violation."""

import unittest

import exports

API = '__attribute__((visibility("default"))) '
MUST_USE = "__attribute__((warn_unused_result)) "
HEADER = (f"{API}const char *armpmu_name(int);\n"
          f"{API}{MUST_USE}enum status\narmpmu_make(struct thing *thing,\n  int (*call)(void));\n"
          f"{API}extern const char *const armpmu_version;\n"
          f"{API}const struct core *const *armpmu_cores(size_t *count);\n"
          "static inline int armpmu_inline(void) { return armpmu_name(1) != 0; }\n"
          "int hidden(void);\n")
NAMES = {"armpmu_name", "armpmu_make", "armpmu_version", "armpmu_cores"}


class Exports(unittest.TestCase):
    def test_marked_declarations_are_found_and_no_others(self):
        self.assertEqual(exports.declared(HEADER), NAMES)

    def test_nm_is_read(self):
        self.assertEqual(exports.exported("armpmu_name T 1200 20\narmpmu_version@@V1 D 10 8\nV1 A 0\n"),
                         {"armpmu_name", "armpmu_version"})

    def test_the_same_on_both_sides_is_right(self):
        self.assertEqual(list(exports.complaints(NAMES, NAMES)), [])

    def test_each_difference_is_one_complaint(self):
        for exported, declared in ((NAMES | {"armpmu_more"}, NAMES), (NAMES, NAMES | {"armpmu_more"}),
                                   (NAMES | {"settle"}, NAMES | {"settle"})):
            self.assertEqual(len(list(exports.complaints(exported, declared))), 1)


if __name__ == "__main__":
    unittest.main()
