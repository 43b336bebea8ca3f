#include "cosim/core_registers.h"

#include <stdlib.h>
#include <string.h>

#define ANY 0xffu

enum kind { VALUE, STORE, WRITE, MIDR, MIDR_BUS, MIDR_PLAIN, VPIDR, ATCM, BTCM, NONE };

static const struct row {
    const char *cores;
    struct armpmu_encoding at;
    enum kind kind;
    uint64_t value, mask;
} rows[] = {
#define REGISTER(cores, access_, coproc_, op1_, crn_, crm_, op2_, kind, value, mask)               \
    {cores,                                                                                        \
     {.access = ARMPMU_ACCESS_##access_,                                                           \
      .coproc = coproc_,                                                                           \
      .op1 = op1_,                                                                                 \
      .crn = crn_,                                                                                 \
      .crm = crm_,                                                                                 \
      .op2 = op2_},                                                                                \
     kind,                                                                                         \
     value,                                                                                        \
     mask},
#include "cosim/core_registers.def"
#undef REGISTER
};

#define N_ROWS (sizeof rows / sizeof rows[0])
_Static_assert(N_ROWS <= CORE_REGISTERS_MAX, "struct core_registers has room for each");

static bool is_of(const struct row *row, const char *core)
{
    return strstr(row->cores, core) != NULL; /* no name is a part of another */
}

static bool matches(uint8_t field, uint8_t own)
{
    return own == ANY || field == own;
}

int core_registers_find(const struct armpmu_core *core, const struct armpmu_encoding *at)
{
    for (size_t i = 0; i < N_ROWS; i++) {
        const struct armpmu_encoding *const own = &rows[i].at;
        if (own->access == at->access && own->coproc == at->coproc && own->op1 == at->op1 &&
            matches(at->crn, own->crn) && matches(at->crm, own->crm) &&
            matches(at->op2, own->op2) && is_of(&rows[i], core->name))
            return (int)i;
    }
    return -1;
}

static uint64_t number_of(const struct armpmu_machine *machine, const char *key)
{
    const char *const text = armpmu_machine_value(machine, key);

    return text != NULL ? strtoull(text, NULL, 10) : 0;
}

static bool says(const struct armpmu_machine *machine, const char *key, const char *word)
{
    const char *const text = armpmu_machine_value(machine, key);

    return text != NULL && strcmp(text, word) == 0;
}

/* Size codes are powers of two, 3 for 4 KiB. Source: Arm DDI 0363G, TCM Region Registers. */
static uint64_t tcm_region(uint64_t base_kb, uint64_t size_kb)
{
    if (size_kb == 0)
        return 0;
    return base_kb << 10 | (uint64_t)(__builtin_ctzll(size_kb) + 1) << 2 | 1;
}

static bool is_midr(enum kind kind)
{
    return kind == MIDR || kind == MIDR_BUS || kind == MIDR_PLAIN;
}

static uint64_t midr_of(const struct armpmu_machine *machine)
{
    const char *const core = armpmu_machine_core(machine)->name;

    for (size_t i = 0; i < N_ROWS; i++) {
        const enum kind kind = rows[i].kind;
        if (!is_midr(kind) || !is_of(&rows[i], core))
            continue;
        const bool is_other = (kind == MIDR_BUS && says(machine, "product.bus_unit", "yes")) ||
                              (kind == MIDR_PLAIN && says(machine, "product.iwmmxt", "no"));
        return is_other ? rows[i].mask : rows[i].value;
    }
    return 0;
}

static uint64_t reset_value(const struct row *row, const struct armpmu_machine *machine)
{
    switch (row->kind) {
    case MIDR:
    case MIDR_BUS:
    case MIDR_PLAIN:
    case VPIDR:
        return midr_of(machine);
    case ATCM:
        return tcm_region(number_of(machine, "atcm.base_kb"), number_of(machine, "atcm.size_kb"));
    case BTCM:
        return tcm_region(number_of(machine, "btcm.base_kb"), number_of(machine, "btcm.size_kb"));
    case VALUE:
    case STORE:
    case WRITE:
    case NONE:
        break;
    }
    return row->value;
}

void core_registers_reset(struct core_registers *registers, const struct armpmu_machine *machine)
{
    for (size_t i = 0; i < N_ROWS; i++)
        registers->value[i] = reset_value(&rows[i], machine);
}

static uint64_t vpidr_of(const struct core_registers *registers, const struct row *midr)
{
    for (size_t i = 0; i < N_ROWS; i++)
        if (rows[i].kind == VPIDR && strstr(rows[i].cores, midr->cores) != NULL)
            return registers->value[i];
    return registers->value[midr - rows];
}

static unsigned level_of(const struct armpmu_encoding *at)
{
    if (at->access != ARMPMU_ACCESS_MSR)
        return 1;
    return at->op1 == 6 ? 3 : at->op1 == 4 ? 2 : 1;
}

bool core_registers_access(struct core_registers *registers, int number, bool is_read,
                           unsigned level, bool is_nonsecure, uint64_t *value)
{
    const struct row *const row = &rows[number];
    uint64_t *const held = &registers->value[number];
    const bool stores =
        row->kind == STORE || row->kind == VPIDR || row->kind == ATCM || row->kind == BTCM;

    if (level < level_of(&row->at) || row->kind == NONE || (is_read && row->kind == WRITE) ||
        (!is_read && !stores && row->kind != WRITE))
        return false;
    if (is_read && is_midr(row->kind) && level == 1 && is_nonsecure)
        *value = vpidr_of(registers, row);
    else if (is_read)
        *value = *held;
    else if (stores)
        *held = (*held & ~row->mask) | (*value & row->mask);
    return true;
}
