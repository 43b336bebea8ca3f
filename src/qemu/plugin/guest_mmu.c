/* The memory attributes in the guest's page tables: whether caches keep a page, and whether it is
 * Device memory although it is RAM.
 *
 * The registers that say where tables are and what attributes mean are remembered as they are
 * written: QEMU shows registers only to callbacks that cost more than an access may. A page's
 * answer holds until it lies elsewhere, until its TLB entry or all of them are invalidated, or one
 * of these registers but a table's address is written.
 */
#include "qemu/plugin/guest_memory.h"

#include <stdlib.h>
#include <string.h>

#include "isa/system_insn.h"

#define GENERATIONS (UINT32_MAX >> 2)

struct guest_tables {
    struct page_tables registers;
    uint32_t generation;           /* of answers, from 1 */
    uint32_t answers[GUEST_PAGES]; /* generation << 2 | enum page_memory */
};

static bool read_physical(void *user, uint64_t physical, void *data, size_t n_bytes)
{
    (void)user;
    return qemu_api_memory_read(physical, data, n_bytes);
}

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
    cpu->tables->registers.read = read_physical;
}

/* ---- registers ---- */

bool guest_writes_tables(enum armpmu_isa isa, uint32_t word)
{
    unsigned which;

    return page_walk_written_by(isa, word, &which) != PAGE_WALK_NOTHING;
}

static void forget_answers(struct guest_tables *tables)
{
    if (tables->generation == GENERATIONS)
        memset(tables->answers, 0, sizeof tables->answers);
    tables->generation = tables->generation == GENERATIONS ? 1 : tables->generation + 1;
}

static void take(struct guest_tables *tables, enum page_walk_write written, unsigned which,
                 uint64_t value)
{
    struct page_tables *const registers = &tables->registers;

    switch (written) {
    case PAGE_WALK_NOTHING:
        return;
    case PAGE_WALK_TTBR: /* pages that lie elsewhere now are asked for again */
        registers->ttbr[which] = value;
        return;
    case PAGE_WALK_TLB_PAGE:
        tables->answers[(uint32_t)value >> GUEST_PAGE_SHIFT] = 0;
        return;
    case PAGE_WALK_SCTLR:
        registers->sctlr = (uint32_t)value;
        break;
    case PAGE_WALK_TTBCR:
        registers->ttbcr = (uint32_t)value;
        break;
    case PAGE_WALK_MAIR:
        registers->mair[which] = (uint32_t)value;
        break;
    case PAGE_WALK_TLB_ALL:
        break;
    }
    forget_answers(tables);
}

void guest_tables_reset(struct guest_cpu *cpu)
{
    if (cpu->tables == NULL)
        return;
    cpu->tables->registers.sctlr = cpu->tables->registers.ttbcr = 0;
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
    const enum page_walk_write written =
        page_walk_written_by(ARMPMU_T32, (word & 0x0fffffff) | 0xe0000000, &which);
    const bool is_double = (word & 0x0f000000) == 0x0c000000;

    if (cpu->tables == NULL || rt_of(word) == 15 ||
        !condition_passes(word >> 28, (uint32_t)qemu_api_register_read(cpu->cpsr)))
        return;
    uint64_t value = (uint32_t)qemu_api_register_read(cpu->reg[rt_of(word)]);
    if (is_double && (word >> 16 & 15) < 15)
        value |= (uint64_t)qemu_api_register_read(cpu->reg[word >> 16 & 15]) << 32;
    take(cpu->tables, written, which, value);
}

/* ---- pages ---- */

/* A page whose entry cannot be read or translates nothing counts as cached: the processor was able
 * to access it. */
static enum page_memory look_up(const struct page_tables *registers, uint32_t address)
{
    struct page page = {.memory = PAGE_CACHED};

    return page_walk(registers, address, &page) ? page.memory : PAGE_CACHED;
}

enum page_memory guest_memory_of(struct guest_cpu *cpu, uint64_t page, bool moved)
{
    struct guest_tables *const tables = cpu->tables;

    if (tables == NULL || page >= GUEST_PAGES || !(tables->registers.sctlr & SCTLR_M))
        return PAGE_CACHED;
    uint32_t *const answer = &tables->answers[page];
    if (moved || *answer >> 2 != tables->generation)
        *answer = tables->generation << 2 |
                  look_up(&tables->registers, (uint32_t)page << GUEST_PAGE_SHIFT);
    return *answer & 3;
}
