/* The memory attributes in the guest's page tables: whether caches keep a page, and whether it is
 * Device memory although there is RAM behind it.
 *
 * The registers that say where tables are and what attributes mean are remembered as they are
 * written: QEMU shows registers only to callbacks that cost more than an access may. A page's
 * answer holds until it lies elsewhere, until its TLB entry or all of them are invalidated, or one
 * of these registers but a table's address is written.
 *
 * Assumes: an ARMv7-A processor; one set of registers, not one for each Security state; no second
 * stage of translation. CHOICE(guest-attributes): the inner attributes count, level 1's.
 * Source: Arm DDI 0406C, VMSA: Short-descriptor and Long-descriptor translation table formats,
 * memory region attributes; SCTLR, TTBCR, PRRR, NMRR, MAIRn. */
#include "qemu/plugin/guest.h"

#include <stdlib.h>
#include <string.h>

#include "cosim/sysreg_insn.h"

#define TTBCR_EAE (1u << 31)

#define DESCRIPTOR_ADDRESS UINT64_C(0xfffffff000) /* long descriptors, and their table's base */

#define GENERATIONS (UINT32_MAX >> 2)

struct guest_tables {
    uint32_t sctlr, ttbcr, mair[2]; /* mair: PRRR and NMRR with short descriptors */
    uint64_t ttbr[2];
    uint32_t generation;           /* of answers, from 1 */
    uint32_t answers[GUEST_PAGES]; /* generation << 2 | enum guest_memory */
};

void guest_tables_new(struct guest_cpu *cpu, const struct qemu_api_array *registers)
{
    if (qemu_api_register_find(registers, "TTBCR") == NULL ||
        qemu_api_register_find(registers, "MAIR0") == NULL)
        return;
    cpu->tables = calloc(1, sizeof *cpu->tables);
    cpu->uncached = calloc(GUEST_PAGES / 64, sizeof *cpu->uncached);
    if (cpu->tables == NULL || cpu->uncached == NULL)
        guest_die("out of memory for a processor");
    cpu->tables->generation = 1;
}

/* ---- registers ---- */

enum written { NOTHING, SCTLR, TTBCR, TTBR, MAIR, TLB_PAGE, TLB_ALL };

/* MCR p15, 0, Rt, CRn, CRm, op2, and MCRR p15, op1, Rt, Rt2, c2. *which: of two registers. */
static enum written written_by(enum armpmu_isa isa, uint32_t word, unsigned *which)
{
    struct sysreg_insn insn;

    *which = 0;
    if (!sysreg_insn_writes_cp15(isa, word, &insn))
        return NOTHING;
    const unsigned crn = insn.at.crn, crm = insn.at.crm, op2 = insn.at.op2;
    if (insn.at.access == ARMPMU_ACCESS_MCRR) {
        *which = insn.at.op1 & 1;
        return insn.at.op1 <= 1 && crm == 2 ? TTBR : NOTHING;
    }
    *which = op2 & 1;
    if (insn.at.op1 != 0)
        return NOTHING;
    if (crn == 1 && crm == 0 && op2 == 0)
        return SCTLR;
    if (crn == 2 && crm == 0 && op2 <= 2)
        return op2 == 2 ? TTBCR : TTBR;
    if (crn == 10 && crm == 2 && op2 <= 1)
        return MAIR;
    if (crn == 8 && op2 != 2) /* of one address space: no change of attributes */
        return op2 == 0 ? TLB_ALL : TLB_PAGE;
    return NOTHING;
}

bool guest_writes_tables(enum armpmu_isa isa, uint32_t word)
{
    unsigned which;

    return written_by(isa, word, &which) != NOTHING;
}

static void forget_answers(struct guest_tables *tables)
{
    if (tables->generation == GENERATIONS)
        memset(tables->answers, 0, sizeof tables->answers);
    tables->generation = tables->generation == GENERATIONS ? 1 : tables->generation + 1;
}

static void take(struct guest_tables *tables, enum written written, unsigned which, uint64_t value)
{
    switch (written) {
    case NOTHING:
        return;
    case TTBR: /* pages that lie elsewhere now are asked for anew */
        tables->ttbr[which] = value;
        return;
    case TLB_PAGE:
        tables->answers[(uint32_t)value >> GUEST_PAGE_SHIFT] = 0;
        return;
    case SCTLR:
        tables->sctlr = (uint32_t)value;
        break;
    case TTBCR:
        tables->ttbcr = (uint32_t)value;
        break;
    case MAIR:
        tables->mair[which] = (uint32_t)value;
        break;
    case TLB_ALL:
        break;
    }
    forget_answers(tables);
}

void guest_tables_reset(struct guest_cpu *cpu)
{
    if (cpu->tables == NULL)
        return;
    cpu->tables->sctlr = cpu->tables->ttbcr = 0;
    forget_answers(cpu->tables);
}

static unsigned rt_of(uint32_t word)
{
    return word >> 12 & 15;
}

/* word: T32 with its first halfword high. The condition of an IT block is not looked at. */
void guest_tables_written(unsigned vcpu, void *user)
{
    struct guest_cpu *const cpu = guest.cpus[vcpu];
    const uint32_t word = (uint32_t)(uintptr_t)user;
    unsigned which;
    const enum written written = written_by(ARMPMU_T32, (word & 0x0fffffff) | 0xe0000000, &which);
    const bool is_double = (word & 0x0f000000) == 0x0c000000;

    if (cpu->tables == NULL || rt_of(word) == 15 ||
        !condition_passes(word >> 28, (uint32_t)qemu_api_register_read(cpu->cpsr)))
        return;
    uint64_t value = (uint32_t)qemu_api_register_read(cpu->reg[rt_of(word)]);
    if (is_double && (word >> 16 & 15) < 15)
        value |= (uint64_t)qemu_api_register_read(cpu->reg[word >> 16 & 15]) << 32;
    take(cpu->tables, written, which, value);
}

/* ---- attributes ---- */

static enum guest_memory normal_if(bool cached)
{
    return cached ? GUEST_CACHED : GUEST_UNCACHED;
}

/* TEX, C and B as they are without remapping, in that order. What is reserved goes by C. */
static enum guest_memory plain_type(unsigned tex, unsigned cb)
{
    switch (tex) {
    case 0:
        return cb < 2 ? GUEST_DEVICE : GUEST_CACHED;
    case 1:
        return normal_if(cb >= 2);
    case 2:
    case 3:
        return GUEST_DEVICE;
    default:
        return normal_if(cb != 0); /* the inner attributes */
    }
}

static enum guest_memory short_type(const struct guest_tables *tables, unsigned tex, unsigned cb)
{
    if (!(tables->sctlr & SCTLR_TRE))
        return plain_type(tex, cb);
    const unsigned n = (tex & 1) << 2 | cb;
    if ((tables->mair[0] >> 2 * n & 3) != 2)
        return GUEST_DEVICE;
    return normal_if((tables->mair[1] >> 2 * n & 3) != 0);
}

static enum guest_memory long_type(const struct guest_tables *tables, unsigned index)
{
    const unsigned attribute = tables->mair[index >> 2] >> 8 * (index & 3) & 0xff;

    if (attribute >> 4 == 0)
        return GUEST_DEVICE;
    return normal_if((attribute & 15) != 4);
}

/* ---- the walk ----
 *
 * An entry that cannot be read or that translates nothing counts as cached: the processor was able
 * to access the page.
 */

/* TEX stands at bit `tex`. */
static enum guest_memory by_short(const struct guest_tables *tables, uint32_t descriptor,
                                  unsigned tex)
{
    return short_type(tables, descriptor >> tex & 7, descriptor >> 2 & 3);
}

static enum guest_memory walk_short(const struct guest_tables *tables, uint32_t address)
{
    const unsigned n = tables->ttbcr & 7;
    const bool second = n > 0 && address >> (32 - n) != 0;
    const unsigned bits = second ? 14 : 14 - n;
    const uint32_t base = (uint32_t)tables->ttbr[second] & ~((1u << bits) - 1);
    const uint32_t at = base | (address >> 18 & ~3u & ((1u << bits) - 1));
    uint32_t descriptor, entry;

    if (!qemu_api_memory_read(at, &descriptor, sizeof descriptor))
        return GUEST_CACHED;
    if ((descriptor & 3) >= 2)
        return by_short(tables, descriptor, 12);
    if ((descriptor & 3) == 0 ||
        !qemu_api_memory_read((descriptor & ~0x3ffu) | (address >> 10 & 0x3fc), &entry,
                              sizeof entry))
        return GUEST_CACHED;
    if ((entry & 3) == 0)
        return GUEST_CACHED;
    return by_short(tables, entry, (entry & 3) == 1 ? 12 : 6);
}

/* Which table translates an address; *size: the bits of address that it translates. */
static unsigned long_table(const struct guest_tables *tables, uint32_t address, unsigned *size)
{
    const unsigned t0sz = tables->ttbcr & 7, t1sz = tables->ttbcr >> 16 & 7;
    const bool in_first =
        t0sz == 0 ? t1sz == 0 || ~address >> (32 - t1sz) != 0 : address >> (32 - t0sz) == 0;

    *size = 32 - (in_first ? t0sz : t1sz);
    return !in_first;
}

static enum guest_memory walk_long(const struct guest_tables *tables, uint32_t address)
{
    unsigned size;
    uint64_t table =
        tables->ttbr[long_table(tables, address, &size)] & 0xffffffffffu & ~UINT64_C(31);
    uint64_t descriptor;

    for (unsigned level = size > 30 ? 1 : 2; level <= 3; level++) {
        const unsigned shift = 39 - 9 * level;
        const uint32_t within = size < 32 ? address & ((1u << size) - 1) : address;
        const uint64_t index = within >> shift & 511;
        if (!qemu_api_memory_read(table + index * 8, &descriptor, sizeof descriptor) ||
            !(descriptor & 1))
            return GUEST_CACHED;
        if (level == 3 || !(descriptor & 2))
            return long_type(tables, descriptor >> 2 & 7);
        table = descriptor & DESCRIPTOR_ADDRESS;
    }
    return GUEST_CACHED;
}

enum guest_memory guest_memory_of(struct guest_cpu *cpu, uint64_t page, bool moved)
{
    struct guest_tables *const tables = cpu->tables;

    if (tables == NULL || page >= GUEST_PAGES || !(tables->sctlr & SCTLR_M))
        return GUEST_CACHED;
    uint32_t *const answer = &tables->answers[page];
    if (moved || *answer >> 2 != tables->generation) {
        const uint32_t address = (uint32_t)page << GUEST_PAGE_SHIFT;
        *answer =
            tables->generation << 2 |
            (tables->ttbcr & TTBCR_EAE ? walk_long(tables, address) : walk_short(tables, address));
    }
    return *answer & 3;
}
