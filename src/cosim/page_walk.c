#include "cosim/page_walk.h"

#include "base/arm.h"
#include "isa/system_insn.h"

#define TTBCR_EAE    (1u << 31)
#define SUPERSECTION (1u << 18)

#define LONG_TABLE   UINT64_C(0xfffffff000) /* of a descriptor: the next table */
#define LONG_BASE    UINT64_C(0xffffffffe0) /* of TTBRn */
#define LONG_ADDRESS UINT64_C(0xffffffffff)

/* ---- attributes ---- */

static enum page_memory normal_if(bool cached)
{
    return cached ? PAGE_CACHED : PAGE_UNCACHED;
}

/* TEX, C and B as they are without remapping, in that order. What is reserved goes by C. */
static enum page_memory plain_type(unsigned tex, unsigned cb)
{
    switch (tex) {
    case 0:
        return cb < 2 ? PAGE_DEVICE : PAGE_CACHED;
    case 1:
        return normal_if(cb >= 2);
    case 2:
    case 3:
        return PAGE_DEVICE;
    default:
        return normal_if(cb != 0); /* the inner attributes */
    }
}

/* TEX begins at bit `lsb`. */
static enum page_memory short_type(const struct page_tables *tables, uint32_t descriptor,
                                   unsigned lsb)
{
    const unsigned tex = descriptor >> lsb & 7, cb = descriptor >> 2 & 3;

    if (!(tables->sctlr & SCTLR_TRE))
        return plain_type(tex, cb);
    const unsigned n = (tex & 1) << 2 | cb;
    if ((tables->mair[0] >> 2 * n & 3) != 2)
        return PAGE_DEVICE;
    return normal_if((tables->mair[1] >> 2 * n & 3) != 0);
}

static enum page_memory long_type(const struct page_tables *tables, unsigned index)
{
    const unsigned attribute = tables->mair[index >> 2] >> 8 * (index & 3) & 0xff;

    if (attribute >> 4 == 0)
        return PAGE_DEVICE;
    return normal_if((attribute & 15) != 4);
}

/* ---- the walk ---- */

static bool read_word(const struct page_tables *tables, uint32_t address, uint32_t *out)
{
    return tables->read(tables->user, address, out, sizeof *out);
}

/* Returns the address that an entry translates to: up to `offset`, with TEX at a bit. */
static struct page short_page(const struct page_tables *tables, uint32_t entry, uint32_t address,
                              uint32_t offset, unsigned tex)
{
    return (struct page){(entry & ~offset) | (address & offset), short_type(tables, entry, tex)};
}

static bool walk_short(const struct page_tables *tables, uint32_t address, struct page *out)
{
    const unsigned n = tables->ttbcr & 7;
    const bool second = n > 0 && address >> (32 - n) != 0;
    const uint32_t bytes = 1u << (second ? 14 : 14 - n);
    const uint32_t base = (uint32_t)tables->ttbr[second] & ~(bytes - 1);
    uint32_t first, entry;

    if (!read_word(tables, base | (address >> 18 & ~3u & (bytes - 1)), &first))
        return false;
    if ((first & 3) >= 2) {
        *out = short_page(tables, first, address, first & SUPERSECTION ? 0xffffff : 0xfffff, 12);
        return true;
    }
    if ((first & 3) == 0 ||
        !read_word(tables, (first & ~0x3ffu) | (address >> 10 & 0x3fc), &entry) || (entry & 3) == 0)
        return false;
    *out = (entry & 3) == 1 ? short_page(tables, entry, address, 0xffff, 12)
                            : short_page(tables, entry, address, 0xfff, 6);
    return true;
}

/* Which table translates an address; *size: the bits of address that it translates. */
static unsigned long_table(const struct page_tables *tables, uint32_t address, unsigned *size)
{
    const unsigned t0sz = tables->ttbcr & 7, t1sz = tables->ttbcr >> 16 & 7;
    const bool in_first =
        t0sz == 0 ? t1sz == 0 || ~address >> (32 - t1sz) != 0 : address >> (32 - t0sz) == 0;

    *size = 32 - (in_first ? t0sz : t1sz);
    return !in_first;
}

static bool walk_long(const struct page_tables *tables, uint32_t address, struct page *out)
{
    unsigned size;
    uint64_t table = tables->ttbr[long_table(tables, address, &size)] & LONG_BASE;

    for (unsigned level = size > 30 ? 1 : 2; level <= 3; level++) {
        const unsigned shift = 39 - 9 * level;
        const uint64_t offset = (UINT64_C(1) << shift) - 1;
        const uint32_t within = size < 32 ? address & ((1u << size) - 1) : address;
        const uint64_t index = within >> shift & 511;
        uint64_t descriptor;
        if (!tables->read(tables->user, table + index * 8, &descriptor, sizeof descriptor) ||
            !(descriptor & 1))
            return false;
        if (level == 3 || !(descriptor & 2)) {
            *out = (struct page){(descriptor & LONG_ADDRESS & ~offset) | (address & offset),
                                 long_type(tables, descriptor >> 2 & 7)};
            return true;
        }
        table = descriptor & LONG_TABLE;
    }
    return false;
}

bool page_walk(const struct page_tables *tables, uint32_t address, struct page *out)
{
    return tables->ttbcr & TTBCR_EAE ? walk_long(tables, address, out)
                                     : walk_short(tables, address, out);
}

/* ---- registers ---- */

enum page_walk_write page_walk_written_by(enum armpmu_isa isa, uint32_t word, unsigned *which)
{
    struct sysreg_insn insn;

    *which = 0;
    if (!sysreg_insn_writes_cp15(isa, word, &insn))
        return PAGE_WALK_NOTHING;
    const unsigned crn = insn.at.crn, crm = insn.at.crm, op2 = insn.at.op2;
    if (insn.at.access == ARMPMU_ACCESS_MCRR) {
        *which = insn.at.op1 & 1;
        return insn.at.op1 <= 1 && crm == 2 ? PAGE_WALK_TTBR : PAGE_WALK_NOTHING;
    }
    *which = op2 & 1;
    if (insn.at.op1 != 0)
        return PAGE_WALK_NOTHING;
    if (crn == 1 && crm == 0 && op2 == 0)
        return PAGE_WALK_SCTLR;
    if (crn == 2 && crm == 0 && op2 <= 2)
        return op2 == 2 ? PAGE_WALK_TTBCR : PAGE_WALK_TTBR;
    if (crn == 10 && crm == 2 && op2 <= 1)
        return PAGE_WALK_MAIR;
    if (crn == 8 && op2 != 2) /* of one address space: no change of attributes */
        return op2 == 0 ? PAGE_WALK_TLB_ALL : PAGE_WALK_TLB_PAGE;
    return PAGE_WALK_NOTHING;
}
