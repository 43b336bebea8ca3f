/* A guest's data accesses and its pages: whether they are memory, and their addresses in the model.
 */
#ifndef QEMU_PLUGIN_GUEST_MEMORY_H
#define QEMU_PLUGIN_GUEST_MEMORY_H

#include "cosim/page_walk.h"
#include "isa/insn.h"
#include "qemu/plugin/guest_cpu.h"

/* ---- pages ---- */

/* Above the number of a page, so that one word has both. */
#define GUEST_EPOCH (ARMPMU_RECORD_WIDE_PAGE + 1)

/* Pages of any processor may have moved: which are memory, and where, is asked again. */
static inline void guest_pages_move(void)
{
    atomic_fetch_add_explicit(&guest.epoch, GUEST_EPOCH, memory_order_release);
}

/* Execution reaches an instruction that may_move_pages. */
void guest_moves_pages(unsigned vcpu, void *unused);

static inline uint64_t guest_page_of(uint64_t address)
{
    return address >> GUEST_PAGE_SHIFT & ARMPMU_RECORD_WIDE_PAGE;
}

static inline uint64_t guest_frame_of(uint64_t physical)
{
    return physical >> GUEST_PAGE_SHIFT & guest.frames;
}

/* Pages of 48-bit addresses share the entries of `placed`: the value says which of them it is. */
static inline uint64_t guest_placed_as(uint64_t page, uint64_t frame)
{
    return page / GUEST_PAGES << 48 | frame;
}

static inline bool guest_is_placed(const struct guest_cpu *cpu, uint64_t page, uint64_t frame)
{
    return cpu->placed[page % GUEST_PAGES] == guest_placed_as(page, frame);
}

#define GUEST_PLACE_RECORDS 2u

/* Tells the model where a page lies. Returns how many records that took. */
static inline unsigned guest_place(struct guest_cpu *cpu, uint64_t page, uint64_t frame,
                                   uint64_t records[GUEST_PLACE_RECORDS])
{
    cpu->placed[page % GUEST_PAGES] = guest_placed_as(page, frame);
    if (cpu->uncached != NULL)
        cpu->uncached[page % GUEST_PAGES / 64] &= ~(UINT64_C(1) << page % 64);
    if (page < GUEST_PAGES && frame < GUEST_PAGES) {
        records[0] = armpmu_record(ARMPMU_RECORD_MAP, 0) | page << ARMPMU_RECORD_PAGE_LSB | frame;
        return 1;
    }
    records[0] = armpmu_record(ARMPMU_RECORD_MAP64, 0) | page;
    records[1] = frame;
    return 2;
}

/* ---- accesses ---- */

/* An instruction of a code block, for the callbacks of its accesses. */
struct insn_place {
    const struct code_block *code_block;
    uint64_t address;
    uint16_t index;
};

/* Has the accesses of an instruction written down. */
void guest_watch_accesses(struct qemu_plugin_insn *insn, enum mem_class mem_class,
                          struct insn_place *place);

/* The current code block, of one instruction, has accessed the word at a virtual address; QEMU does
 * not know of it. */
void guest_memory_accessed(struct guest_cpu *cpu, uint64_t address);

/* ---- guest_mmu.c: page tables of AArch32 ---- */

/* moved: the page lies elsewhere than before. All memory counts as cached while nothing is known.
 */
enum page_memory guest_memory_of(struct guest_cpu *cpu, uint64_t page, bool moved);

/* Gives a processor of AArch32 that starts what it needs for that. */
void guest_tables_new(struct guest_cpu *cpu, const struct qemu_api_array *registers);

/* The processor was reset: translation is off. */
void guest_tables_reset(struct guest_cpu *cpu);

/* Returns whether an instruction writes a register of translation or maintains TLBs; execution
 * reaches it.
 */
bool guest_writes_tables(enum armpmu_isa isa, uint32_t word);
void guest_tables_written(unsigned vcpu, void *word);

#endif
