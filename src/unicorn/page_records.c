#include "unicorn/page_records.h"

#include <string.h>

#include "base/arm.h"
#include "isa/block_store.h"
#include "unicorn/firmware.h"

bool page_records_depend_on(enum armpmu_isa isa, uint32_t word)
{
    unsigned which;
    const enum page_walk_write written = page_walk_written_by(isa, word, &which);

    return written == PAGE_WALK_TTBR || written == PAGE_WALK_TTBCR;
}

void page_records_invalidate(struct firmware *fw)
{
    if (fw->pages == NULL)
        return;
    fw->pages->moved = true;
    firmware_forget_pages(fw);
}

static bool read_physical(void *user, uint64_t physical, void *data, size_t n_bytes)
{
    const struct firmware *const fw = user;

    return fw->lib->mem_read(fw->uc, physical, data, n_bytes) == UC_ERR_OK;
}

static void read_registers(struct firmware *fw, struct page_records *pages)
{
    pages->moved = false;
    pages->tables = (struct page_tables){
        .sctlr = processor_cp15(fw, 1, 0, 0),
        .ttbr = {processor_cp15(fw, 2, 0, 0), processor_cp15(fw, 2, 0, 1)},
        .ttbcr = processor_cp15(fw, 2, 0, 2),
        .read = read_physical,
        .user = fw,
    };
    if (++pages->generation == 0) {
        memset(pages->known, 0, sizeof pages->known);
        pages->generation = 1;
    }
}

bool page_records_moves(struct firmware *fw, uint32_t physical)
{
    struct page page;

    if (fw->pages == NULL)
        return false;
    if (fw->pages->moved)
        read_registers(fw, fw->pages);
    return !page_walk(&fw->pages->tables, physical, &page) || (uint32_t)page.physical != physical;
}

/* A record before the code block's. */
static void insert(struct firmware *fw, uint64_t word)
{
    uint64_t *const block = &fw->records[fw->block_at];

    if (fw->n >= FIRMWARE_RECORDS)
        return;
    memmove(block + 1, block, (fw->n - fw->block_at) * sizeof *block);
    *block = word;
    fw->n++;
    fw->block_at++;
    fw->first_access++;
}

static void look_up(struct firmware *fw, uint32_t number)
{
    struct page_records *const pages = fw->pages;
    struct page page;

    pages->known[number] = pages->generation;
    if (!page_walk(&pages->tables, number << PAGE_SHIFT, &page))
        return;
    const uint32_t frame = (uint32_t)page.physical >> PAGE_SHIFT;
    if (pages->placed[number] == (number ^ frame))
        return;
    pages->placed[number] = number ^ frame;
    insert(fw, armpmu_record(ARMPMU_RECORD_MAP, 0) | (uint64_t)number << ARMPMU_RECORD_PAGE_LSB |
                   frame);
}

static inline void look_up_range(struct firmware *fw, uint32_t address, uint32_t n_bytes)
{
    const uint32_t first = address >> PAGE_SHIFT, last = (address + n_bytes - 1) >> PAGE_SHIFT;

    if (!page_records_know(fw->pages, first))
        look_up(fw, first);
    if (last != first && !page_records_know(fw->pages, last))
        look_up(fw, last);
}

void page_records_write(struct firmware *fw)
{
    struct page_records *const pages = fw->pages;

    if (pages == NULL || fw->code_block == NULL || fw->n == 0 || (fw->pages_known && !pages->moved))
        return;
    if (pages->moved)
        read_registers(fw, pages);
    if (!(pages->tables.sctlr & SCTLR_M))
        return;
    if (fw->code_block->n_bytes > 0)
        look_up_range(fw, (uint32_t)fw->code_block->address, fw->code_block->n_bytes);
    for (size_t i = fw->first_access; i < fw->n; i++) {
        const enum armpmu_record_kind kind = armpmu_record_kind(fw->records[i]);
        const uint32_t address = (uint32_t)fw->records[i];
        if (kind == ARMPMU_RECORD_ACCESS)
            look_up_range(fw, address, ADDRESS_SUMMARY_WORD);
        else if (kind == ARMPMU_RECORD_BURST && i + 1 < fw->n)
            look_up_range(fw, address, (uint32_t)fw->records[i + 1]);
    }
}
