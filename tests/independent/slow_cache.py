"""A level 1 cache as plain lists, the address stream that is fed to it, and what else it tells.

Shares no code and no shape with the core model under test: one list of line numbers a set, newest
first; the stream is read record by record, as the address plugin wrote it.

Definitions (docs/choices.md):
- instruction side: one access per aligned fetch group the program runs into, a new one after each
  change of flow and each system call;
- data side: one access per instruction and line; loads fill, stores that miss do not; NEON and VFP
  loads that miss do not.
"""

import struct

RECORD = struct.Struct("<BBHII")
FETCH, LOAD, STORE = 1, 2, 3


class SlowCache:
    """Physical = virtual. Pushes out the line used longest ago (LRU), or brought in longest ago
    (round robin)."""

    def __init__(self, size_kb, ways, line_bytes, lru=True):
        self.ways = ways
        self.lru = lru
        self.sets = [[] for _ in range(size_kb * 1024 // ways // line_bytes)]

    def access(self, line, fill):
        """Whether the line was present; brings it in if asked to."""
        lines = self.sets[line % len(self.sets)]
        if line in lines:
            if self.lru:
                lines.remove(line)
                lines.insert(0, line)
            return True
        if fill:
            lines.insert(0, line)
            del lines[self.ways:]
        return False


def read_records(path):
    with open(path, "rb") as file:
        content = file.read()
    if len(content) % RECORD.size:
        raise ValueError(f"{path}: {len(content)} bytes are no whole number of records")
    records = [(kind, size, address, code)
               for kind, size, _, address, code in RECORD.iter_unpack(content)]
    return with_true_sizes(records)


def with_true_sizes(records):
    """Records with the sizes the instructions have.

    QEMU 7.2 looks at the halfword behind a T32 instruction that ends two bytes before its page
    does, and adds it to the instruction's size. Such an instruction is no branch: where execution
    goes on shows what it was."""
    following = None
    for index in range(len(records) - 1, -1, -1):
        kind, size, address, code = records[index]
        if kind != FETCH:
            continue
        if size == 6:
            records[index] = (kind, 4, address, code)
        elif size == 4 and address + 2 == following:
            records[index] = (kind, 2, address, code & 0xFFFF)
        following = address
    return records


def is_system_call(code, size):
    """SVC #0, which leaves the program: what follows is fetched anew."""
    return code == (0xDF00 if size == 2 else 0xEF000000)


def is_store_exclusive(code, size, thumb):
    """QEMU compares memory before it stores, which looks like a load."""
    if size == 2:
        return False
    if not thumb:
        return code & 0x0F900FF0 == 0x01800F90
    first, second = code & 0xFFFF, code >> 16
    return first >> 4 == 0xE84 or (first >> 4 == 0xE8C and second >> 6 & 3 == 1)


def thumb_addresses(records):
    """Addresses of T32 instructions: those that ran in one go with one that A32 cannot have, of two
    bytes or at an address that is no multiple of four."""
    thumb, run, found, end = set(), [], False, None
    for kind, size, address, _ in records:
        if kind != FETCH:
            continue
        if address != end:
            if found:
                thumb.update(run)
            run, found = [], False
        run.append(address)
        found = found or size == 2 or address % 4 == 2
        end = address + size
    if found:
        thumb.update(run)
    return thumb


def is_neon_access(code, size, thumb):
    """Whether a load or store belongs to the NEON and VFP unit (Arm ARM, encoding tables)."""
    if size == 2:
        return False
    if thumb:
        code = (code & 0xFFFF) << 16 | code >> 16
        if code >> 28 == 0xF:
            return code >> 24 == 0xF9 and not code >> 20 & 1
    elif code >> 28 == 0xF:
        return code >> 24 == 0xF4 and not code >> 20 & 1
    return code >> 25 & 7 == 0b110 and code >> 9 & 7 == 0b101


def computed_jumps(records, thumb):
    """For each instruction, whether it is a jump without a condition that may go to the very next one:
    BX Rm, MOV PC,Rm and ADD PC,PC,Rm, and B to there (a linker's veneer before what it leads to)."""
    it_left = 0
    for kind, size, address, code in records:
        if kind != FETCH:
            continue
        if address not in thumb:
            yield (code & 0xFFFFFFF0 in (0xE1A0F000, 0xE12FFF10) or
                   code & 0xFFFFF000 == 0xE08FF000 or code == 0xEAFFFFFF)
            continue
        yield it_left == 0 and size == 2 and (code & 0xFF87 in (0x4687, 0x4700) or code == 0xE7FF)
        it_left -= it_left > 0
        if size == 2 and code >> 8 == 0xBF and code & 0xF:
            mask = code & 0xF
            it_left = 4 - (mask & -mask).bit_length() + 1


def count_instruction_side(records, cache, line_bytes, fetch_bytes):
    """(accesses, refills) of the instruction cache."""
    thumb = thumb_addresses(records)
    jumps = computed_jumps(records, thumb)
    accesses = refills = 0
    end = last_group = None
    for kind, size, address, code in records:
        if kind != FETCH:
            continue
        first, last = address // fetch_bytes, (address + size - 1) // fetch_bytes
        if address == end and first == last_group:
            first += 1
        for group in range(first, last + 1):
            accesses += 1
            refills += not cache.access(group * fetch_bytes // line_bytes, fill=True)
        last_group, end = last, address + size
        if next(jumps) or is_system_call(code, size):
            end = None
    return accesses, refills


def data_accesses(records, thumb):
    """(fetch record, access records) of each instruction that accessed memory."""
    fetch, touched = None, []
    for record in records + [(FETCH, 0, 0, 0)]:
        if record[0] != FETCH:
            touched.append(record)
            continue
        if touched and is_store_exclusive(fetch[3], fetch[1], fetch[2] in thumb):
            touched = [access for access in touched if access[0] == STORE]
        if touched:
            yield fetch, touched
            touched = []
        fetch = record


def count_data_side(records, cache, line_bytes):
    """(accesses, refills) of the data cache."""
    thumb = thumb_addresses(records)
    accesses = refills = 0
    for (_, size, address, code), touched in data_accesses(records, thumb):
        first = min(access[2] for access in touched)
        last = max(access[2] + access[1] for access in touched) - 1
        loads = any(access[0] == LOAD for access in touched)
        neon = is_neon_access(code, size, address in thumb)
        for line in range(first // line_bytes, last // line_bytes + 1):
            accesses += 1
            fill = loads and not neon
            hit = cache.access(line, fill)
            refills += fill and not hit
    return accesses, refills


def count_architectural(records):
    """Events that the stream alone decides. A program without signals: execution goes elsewhere
    only by a branch, or by a system call, which comes back behind itself."""
    thumb = thumb_addresses(records)
    counts = dict.fromkeys(
        ("INST_RETIRED", "LD_RETIRED", "ST_RETIRED", "PC_WRITE_RETIRED", "EXC_TAKEN"), 0)
    for _, touched in data_accesses(records, thumb):
        counts["LD_RETIRED"] += any(access[0] == LOAD for access in touched)
        counts["ST_RETIRED"] += any(access[0] == STORE for access in touched)
    jumps = computed_jumps(records, thumb)
    end = None
    for kind, size, address, code in records:
        if kind != FETCH:
            continue
        counts["PC_WRITE_RETIRED"] += end not in (None, address)
        counts["INST_RETIRED"] += 1
        counts["EXC_TAKEN"] += is_system_call(code, size)
        if next(jumps):
            counts["PC_WRITE_RETIRED"] += 1
            end = None
        else:
            end = address + size
    return counts
