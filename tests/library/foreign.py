"""The shared library without its headers: what they define in place is there to call, and does the same.

usage: foreign.py LIBRARY
"""
import ctypes
import sys
import unittest

LIBRARY = ctypes.CDLL(sys.argv.pop(1))
CYCLES = 1 << 31


class Config(ctypes.Structure):
    """The first members of struct armpmu_config, and room for all others, which are 0."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("core", ctypes.c_char_p), ("rest", ctypes.c_uint64 * 512)]


class Foreign(unittest.TestCase):
    def make(self, core):
        LIBRARY.armpmu_device_bytes.restype = ctypes.c_size_t
        LIBRARY.armpmu_get_pin.restype = LIBRARY.armpmu_pin.restype = ctypes.c_uint64
        n = LIBRARY.armpmu_device_bytes()
        self.memory = (ctypes.c_uint64 * (n // 8))()
        config = Config(0, core)
        pmu = ctypes.c_void_p()
        self.assertEqual(LIBRARY.armpmu_create(self.memory, ctypes.c_size_t(n), ctypes.byref(config), ctypes.byref(pmu), None), 0)
        return pmu

    @staticmethod
    def signal(name):
        LIBRARY.armpmu_signal_name.restype = ctypes.c_char_p
        n = 0
        while LIBRARY.armpmu_signal_name(n).decode() != name:
            n += 1
        return n

    def test_counters_count(self):
        pmu = self.make(b"cortex-a8")
        value = ctypes.c_uint32()
        self.assertEqual(LIBRARY.armpmu_mcr(pmu, 15, 0, 9, 12, 1, ctypes.c_uint32(CYCLES)), 0)
        self.assertEqual(LIBRARY.armpmu_mcr(pmu, 15, 0, 9, 12, 0, 1), 0)
        LIBRARY.armpmu_post(pmu, self.signal("CPU_CYCLES"), 1234)
        self.assertEqual(LIBRARY.armpmu_mrc(pmu, 15, 0, 9, 13, 0, ctypes.byref(value)), 0)
        self.assertEqual(value.value, 1234)

    def test_registers_of_64_bits(self):
        pmu = self.make(b"neoverse-n1")
        value = ctypes.c_uint64(99)
        self.assertEqual(LIBRARY.armpmu_msr(pmu, 3, 3, 9, 13, 0, ctypes.c_uint64(1 << 40)), 0)  # PMCCNTR_EL0
        self.assertEqual(LIBRARY.armpmu_mrs(pmu, 3, 3, 9, 13, 0, ctypes.byref(value)), 0)
        self.assertEqual(value.value, 1 << 40)
        for name in ("armpmu_mrrc", "armpmu_mcrr"):
            self.assertTrue(hasattr(LIBRARY, name))

    def test_both_names_of_pins(self):
        pmu = self.make(b"cortex-a8")
        for pin in range(8):
            self.assertEqual(LIBRARY.armpmu_pin(pmu, pin), LIBRARY.armpmu_get_pin(pmu, pin))


if __name__ == "__main__":
    unittest.main()
