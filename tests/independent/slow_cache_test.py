#!/usr/bin/env python3
"""The slow cache against sequences worked by hand: the judge is judged first."""

import unittest

from slow_cache import (FETCH, LOAD, STORE, SlowCache, computed_jumps, count_architectural,
                        count_data_side, count_instruction_side, data_accesses, is_neon_access,
                        thumb_addresses, with_true_sizes)


def fetch(address, size=4, code=0xE1A00000):
    return (FETCH, size, address, code)


class Cache(unittest.TestCase):
    def test_least_recently_used_line_goes(self):
        cache = SlowCache(size_kb=1, ways=2, line_bytes=64)  # 8 sets
        hits = [cache.access(line, fill=True) for line in (0, 8, 0, 16, 0, 8, 1)]
        self.assertEqual(hits, [False, False, True, False, True, False, False])

    def test_round_robin_forgets_uses(self):
        cache = SlowCache(size_kb=1, ways=2, line_bytes=64, lru=False)
        hits = [cache.access(line, fill=True) for line in (0, 8, 0, 16, 0, 8, 16)]
        self.assertEqual(hits, [False, False, True, False, False, False, False])

    def test_a_miss_without_fill_changes_nothing(self):
        cache = SlowCache(size_kb=1, ways=1, line_bytes=64)
        self.assertFalse(cache.access(3, fill=False))
        self.assertFalse(cache.access(3, fill=True))
        self.assertTrue(cache.access(3, fill=False))


class InstructionSide(unittest.TestCase):
    def count(self, records):
        return count_instruction_side(records, SlowCache(1, 1, 64), 64, 8)

    def test_two_instructions_share_a_fetch(self):
        self.assertEqual(self.count([fetch(a) for a in range(0x1000, 0x1040, 4)]), (8, 1))

    def test_a_taken_branch_fetches_again(self):
        self.assertEqual(self.count([fetch(0x1000), fetch(0x1000), fetch(0x1000)]), (3, 1))

    def test_a_system_call_fetches_again(self):
        self.assertEqual(self.count([fetch(0x1000, code=0xEF000000), fetch(0x1004)]), (2, 1))
        self.assertEqual(self.count([fetch(0x1000, 2, 0xDF00), fetch(0x1002, 2)]), (2, 1))

    def test_a_table_jump_to_the_next_instruction_fetches_again(self):
        self.assertEqual(self.count([fetch(0x1000, code=0xE08FF003), fetch(0x1004)]), (2, 1))

    def test_a_wide_instruction_may_need_two(self):
        self.assertEqual(self.count([fetch(0x103e, 4), fetch(0x1042, 2)]), (2, 2))


class DataSide(unittest.TestCase):
    def count(self, records):
        return count_data_side(records, SlowCache(1, 1, 64), 64)

    def test_one_access_a_line_of_a_block_transfer(self):
        transfer = [(LOAD, 4, a, 0) for a in range(0x103c, 0x1048, 4)]
        self.assertEqual(self.count([fetch(0)] + transfer), (2, 2))

    def test_store_misses_do_not_fill(self):
        store, load = (STORE, 4, 0x1000, 0), (LOAD, 4, 0x1000, 0)
        self.assertEqual(self.count([fetch(0), store, fetch(4), store, fetch(8), load,
                                     fetch(12), store]), (4, 1))

    def test_vector_loads_do_not_fill(self):
        load = (LOAD, 8, 0x1000, 0)
        vldr = fetch(0, code=0xED900B00)
        self.assertEqual(self.count([vldr, load, vldr, load]), (2, 0))

    def test_accesses_belong_to_the_instruction_before(self):
        records = [fetch(0), fetch(4), (LOAD, 4, 0x20, 0), fetch(8), (STORE, 1, 0x31, 0)]
        self.assertEqual(list(data_accesses(records, set())),
                         [(records[1], [records[2]]), (records[3], [records[4]])])

    def test_a_store_exclusive_loads_nothing(self):
        load, store = (LOAD, 4, 0x20, 0), (STORE, 4, 0x20, 0)
        strex, strexd_t32 = fetch(0, code=0xE1821F90), fetch(4, code=0x2370E8C4)
        records = [strex, load, store, strexd_t32, load, store]
        self.assertEqual(list(data_accesses(records, {4})),
                         [(strex, [store]), (strexd_t32, [store])])


class Architectural(unittest.TestCase):
    def test_counts_follow_from_the_stream(self):
        records = [fetch(0), (LOAD, 4, 0x20, 0), (LOAD, 4, 0x24, 0), fetch(4), (STORE, 4, 0x20, 0),
                   fetch(0x40, code=0xEF000000), fetch(0x44, code=0xE08FF003), fetch(0x48),
                   fetch(0x44, code=0xE08FF003), fetch(0x80), fetch(0)]
        self.assertEqual(count_architectural(records),
                         {"INST_RETIRED": 8, "LD_RETIRED": 1, "ST_RETIRED": 1,
                          "PC_WRITE_RETIRED": 5, "EXC_TAKEN": 1})


class Sizes(unittest.TestCase):
    def test_a_peeked_halfword_is_no_part_of_the_instruction(self):
        records = [fetch(0xFFA, 6), fetch(0xFFE, 4), fetch(0x1FFC, 4, 0xBF00BF00),
                   fetch(0x1FFE, 2), fetch(0x2FFC, 4), (LOAD, 4, 0, 0), fetch(0x3000, 4)]
        self.assertEqual([(size, address) for _, size, address, _ in with_true_sizes(records)],
                         [(4, 0xFFA), (4, 0xFFE), (2, 0x1FFC), (2, 0x1FFE), (4, 0x2FFC), (4, 0),
                          (4, 0x3000)])


class Jumps(unittest.TestCase):
    def test_conditions_by_it_are_seen(self):
        codes = [0x4718, 0xBF08, 0x4770, 0x4770, 0xBF0C, 0x4770, 0x4770, 0x46BF, 0xBF00, 0x4718]
        records = [fetch(2 * i, 2, code) for i, code in enumerate(codes)]
        thumb = {address for _, _, address, _ in records}
        self.assertEqual(list(computed_jumps(records, thumb)),
                         [True, False, False, True, False, False, False, True, False, True])

    def test_a_branch_to_the_next_instruction_is_seen(self):
        records = [fetch(0, code=0xEAFFFFFF), fetch(4, code=0x0AFFFFFF), fetch(8, 2, 0xE7FF), fetch(10, 2, 0xE7FE)]
        self.assertEqual(list(computed_jumps(records, {8, 10})), [True, False, True, False])


class Encodings(unittest.TestCase):
    def test_instruction_set_shows_in_runs(self):
        records = [fetch(0), fetch(4), fetch(0x100, 2), fetch(0x102, 4), fetch(0x200),
                   fetch(0x302), fetch(0x306)]
        self.assertEqual(thumb_addresses(records), {0x100, 0x102, 0x302, 0x306})

    def test_vector_and_floating_point_accesses(self):
        a32 = {0xED900B00: True,   # vldr d0, [r0]
               0xECB10A02: True,   # vldmia r1!, {s0-s1}
               0xF420070F: True,   # vld1.8 {d0}, [r0]
               0xE5900000: False,  # ldr r0, [r0]
               0xE8BD8010: False,  # pop {r4, pc}
               0xE5BCFA00: False}  # ldr pc, [ip, #0xa00]!
        for code, neon in a32.items():
            self.assertEqual(is_neon_access(code, 4, thumb=False), neon, hex(code))
        t32 = {0xED900B00: True, 0xF920070F: True, 0xF8D00000: False, 0xE8BD8010: False}
        for code, neon in t32.items():
            stored = (code & 0xFFFF) << 16 | code >> 16
            self.assertEqual(is_neon_access(stored, 4, thumb=True), neon, hex(code))


if __name__ == "__main__":
    unittest.main()
