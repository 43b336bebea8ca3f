#include "unicorn/page_tables.h"

#include <string.h>

#include "base/arm.h"
#include "cosim/sysreg_insn.h"
#include "unicorn/firmware.h"

#define LONGEST_WORD 8u /* bytes of an access that is no run, at most */

/* MCR p15, 0, Rt, c2, c0, n */
bool page_tables_writes_tables(enum armpmu_isa isa, uint32_t word)
{
    struct sysreg_insn insn;

    return sysreg_insn_writes_cp15(isa, word, &insn) && insn.at.access == ARMPMU_ACCESS_MCR &&
           insn.at.op1 == 0 && insn.at.crn == 2 && insn.at.crm == 0;
}

void page_tables_move(struct firmware *fw)
{
    if (fw->frames != NULL)
        fw->frames->moved = true;
}

static void read_registers(struct firmware *fw, struct page_tables *frames)
{
    frames->moved = false;
    frames->sctlr = processor_cp15(fw, 1, 0, 0);
    frames->ttbr = processor_cp15(fw, 2, 0, 0);
    frames->ttbcr = processor_cp15(fw, 2, 0, 2);
    if (++frames->generation == 0) {
        memset(frames->known, 0, sizeof frames->known);
        frames->generation = 1;
    }
}

static bool read_descriptor(struct firmware *fw, uint32_t address, uint32_t *out)
{
    return fw->lib->mem_read(fw->uc, address, out, sizeof *out) == UC_ERR_OK;
}

/* The physical address of a page; false where it has none. */
static bool walk(struct firmware *fw, const struct page_tables *frames, uint32_t address,
                 uint32_t *out)
{
    const unsigned n = frames->ttbcr & 7;
    const uint32_t bytes = 1u << (14 - n);
    const uint32_t base = frames->ttbr & ~(bytes - 1);
    uint32_t first, entry;

    if (n > 0 && address >> (32 - n) != 0) /* of TTBR1 */
        return false;
    if (!read_descriptor(fw, base | (address >> 18 & ~3u & (bytes - 1)), &first))
        return false;
    if ((first & 3) >= 2) { /* bit 18: a supersection, of 16 MiB */
        const uint32_t offset = first & 1u << 18 ? 0x00ffffff : 0x000fffff;
        *out = (first & ~offset) | (address & offset);
        return true;
    }
    if ((first & 3) == 0 ||
        !read_descriptor(fw, (first & ~0x3ffu) | (address >> 10 & 0x3fc), &entry) ||
        (entry & 3) == 0)
        return false;
    const uint32_t offset = (entry & 3) == 1 ? 0xffff : 0xfff;
    *out = (entry & ~offset) | (address & offset);
    return true;
}

/* A record before the code block's. */
static void insert(struct firmware *fw, uint64_t word)
{
    uint64_t *const block = &fw->records[fw->block_at];

    if (fw->n >= FIRMWARE_WORDS)
        return;
    memmove(block + 1, block, (fw->n - fw->block_at) * sizeof *block);
    *block = word;
    fw->n++;
    fw->block_at++;
    fw->first_access++;
}

static void look_up(struct firmware *fw, uint32_t page)
{
    struct page_tables *const frames = fw->frames;
    uint32_t physical;

    frames->known[page] = frames->generation;
    if (!walk(fw, frames, page << PAGE_SHIFT, &physical))
        return;
    const uint32_t frame = physical >> PAGE_SHIFT;
    if (frames->placed[page] == (page ^ frame))
        return;
    frames->placed[page] = page ^ frame;
    insert(fw,
           armpmu_record(ARMPMU_RECORD_MAP, 0) | (uint64_t)page << ARMPMU_RECORD_PAGE_LSB | frame);
}

static inline bool is_known(const struct page_tables *frames, uint32_t page)
{
    return __builtin_expect(frames->known[page] == frames->generation, 1);
}

static inline void tell_range(struct firmware *fw, uint32_t address, uint32_t n_bytes)
{
    const uint32_t first = address >> PAGE_SHIFT, last = (address + n_bytes - 1) >> PAGE_SHIFT;

    if (!is_known(fw->frames, first))
        look_up(fw, first);
    if (last != first && !is_known(fw->frames, last))
        look_up(fw, last);
}

void page_tables_tell(struct firmware *fw)
{
    struct page_tables *const frames = fw->frames;

    if (frames == NULL || fw->code_block == NULL || fw->n == 0)
        return;
    if (frames->moved)
        read_registers(fw, frames);
    if (!(frames->sctlr & SCTLR_M))
        return;
    if (fw->code_block->n_bytes > 0)
        tell_range(fw, (uint32_t)fw->code_block->address, fw->code_block->n_bytes);
    for (size_t i = fw->first_access; i < fw->n; i++) {
        const enum armpmu_record_kind kind = armpmu_record_kind(fw->records[i]);
        const uint32_t address = (uint32_t)fw->records[i];
        if (kind == ARMPMU_RECORD_ACCESS)
            tell_range(fw, address, LONGEST_WORD);
        else if (kind == ARMPMU_RECORD_BURST && i + 1 < fw->n)
            tell_range(fw, address, (uint32_t)fw->records[i + 1]);
    }
}
