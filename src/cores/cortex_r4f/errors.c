/* Errors in the memories of the Cortex-R4F: which access finds them, what it counts and reports.
 *
 * An error in a cache is one of the line that holds an address, found by the next access that finds
 * the line there; in a TCM it is one of a doubleword, found when that is read.
 *
 * CHOICE(r4f-correction): a line with an error is invalidated, written back first when it is dirty
 * and the error can be corrected, and the access misses. A doubleword of a TCM is put right.
 * CHOICE(r4f-hard-error): an error that comes back is met a second time, right after the refill;
 * then the processor makes no progress, which counts once, and the error is gone.
 * CHOICE(r4f-btcm-ports): bit 3 of the address chooses the port of the BTCM.
 * Source: ARM DDI 0363E, Error detection events; ARM DDI 0363G, Correctable Fault Location
 * Register. */
#include "cores/cortex_r4f/memory.h"

#include <string.h>

#include "base/error.h"

enum where { IN_ICACHE, IN_DCACHE, IN_TCM, NOWHERE };

/* The memory that an injection puts an error into. */
static const struct error_kind {
    enum where where;
    bool fatal, comes_back;
    bool in_data; /* of the data cache: found when the data is read, not by a look at the tag */
    enum armpmu_signal signal; /* of a cache */
    const char *name;
} kinds[] = {
    [ARMPMU_INJECT_ICACHE_TAG] = {.where = IN_ICACHE, .signal = ARMPMU_SIGNAL_L1I_TAG_ERROR},
    [ARMPMU_INJECT_ICACHE_DATA] = {.where = IN_ICACHE, .signal = ARMPMU_SIGNAL_L1I_DATA_ERROR},
    [ARMPMU_INJECT_ICACHE_DATA_HARD] = {.where = IN_ICACHE,
                                        .comes_back = true,
                                        .signal = ARMPMU_SIGNAL_L1I_DATA_ERROR},
    [ARMPMU_INJECT_DCACHE_TAG] = {.where = IN_DCACHE, .signal = ARMPMU_SIGNAL_L1D_TAG_ERROR},
    [ARMPMU_INJECT_DCACHE_TAG_FATAL] = {.where = IN_DCACHE,
                                        .fatal = true,
                                        .signal = ARMPMU_SIGNAL_L1D_TAG_FATAL},
    [ARMPMU_INJECT_DCACHE_DATA] = {.where = IN_DCACHE,
                                   .in_data = true,
                                   .signal = ARMPMU_SIGNAL_L1D_DATA_ERROR},
    [ARMPMU_INJECT_DCACHE_DATA_FATAL] = {.where = IN_DCACHE,
                                         .fatal = true,
                                         .in_data = true,
                                         .signal = ARMPMU_SIGNAL_L1D_DATA_FATAL},
    [ARMPMU_INJECT_DCACHE_DATA_HARD] = {.where = IN_DCACHE,
                                        .in_data = true,
                                        .comes_back = true,
                                        .signal = ARMPMU_SIGNAL_L1D_DATA_ERROR},
    [ARMPMU_INJECT_TCM] = {.where = IN_TCM},
    [ARMPMU_INJECT_TCM_FATAL] = {.where = IN_TCM, .fatal = true},
    [ARMPMU_INJECT_SLAVE_READ] = {.where = NOWHERE},
};

static void report(struct r4f_memory *memory, enum armpmu_signal signal, enum armpmu_side side,
                   unsigned way, uint64_t address)
{
    const struct armpmu_fault fault = {
        .signal = signal, .side = side, .way = (uint8_t)way, .address = (uint32_t)address};

    memory->tally[signal]++;
    if (memory->on_fault != NULL)
        memory->on_fault(memory->fault_user, &fault);
}

static void remove_error(struct r4f_memory *memory, struct r4f_error *error)
{
    struct r4f_error *const end = memory->errors + memory->n_errors--;

    memmove(error, error + 1, (size_t)(end - error - 1) * sizeof *error); /* the oldest first */
}

/* ---- caches ---- */

/* Returns whether the error is met for good: one that comes back needs two meetings. */
static bool is_over(struct r4f_memory *memory, struct r4f_error *error)
{
    if (!kinds[error->kind].comes_back)
        return true;
    if (++error->met < 2)
        return false;
    memory->tally[ARMPMU_SIGNAL_LIVELOCK]++;
    return true;
}

/* The first error of this kind of cache that an access to a line finds, or NULL. */
static struct r4f_error *find_in_line(struct r4f_memory *memory, enum where where, uint64_t line,
                                      bool reads)
{
    for (uint32_t i = 0; i < memory->n_errors; i++) {
        struct r4f_error *error = &memory->errors[i];
        if (kinds[error->kind].where == where && error->address >> R4F_LINE_SHIFT == line &&
            (reads || !kinds[error->kind].in_data))
            return error;
    }
    return NULL;
}

static unsigned way_of(const struct cache *cache, const struct cache_line *line)
{
    return (unsigned)(line - cache->lines) % cache->ways;
}

bool r4f_meet_data_error(struct r4f_memory *memory, struct cache_line *line, bool reads)
{
    struct r4f_error *error = find_in_line(memory, IN_DCACHE, line->physical, reads);

    if (error == NULL)
        return false;
    const struct error_kind *kind = &kinds[error->kind];
    struct cache_line copy = *line;
    report(memory, kind->signal, ARMPMU_SIDE_CACHE, way_of(&memory->l1d, line), error->address);
    if (kind->fatal)
        copy.dirty = 0; /* what is there cannot be trusted */
    (void)r4f_evict(memory, &copy, memory->now);
    cache_drop(&memory->l1d, line);
    if (is_over(memory, error))
        remove_error(memory, error);
    return true;
}

bool r4f_meet_code_error(struct r4f_memory *memory, struct cache_line *line)
{
    struct r4f_error *error = find_in_line(memory, IN_ICACHE, line->physical, true);

    if (error == NULL)
        return false;
    report(memory, kinds[error->kind].signal, ARMPMU_SIDE_CACHE, way_of(&memory->l1i, line),
           error->address);
    cache_drop(&memory->l1i, line);
    if (is_over(memory, error))
        remove_error(memory, error);
    return true;
}

/* ---- TCMs ---- */

/* Signals of a TCM error: [fatal]. */
static const enum armpmu_signal seen_by_reader[3][2] = {
    [READER_FETCH] = {ARMPMU_SIGNAL_TCM_CORRECTABLE_FETCH, ARMPMU_SIGNAL_TCM_FATAL_FETCH},
    [READER_DATA] = {ARMPMU_SIGNAL_TCM_CORRECTABLE_DATA, ARMPMU_SIGNAL_TCM_FATAL_DATA},
    [READER_SLAVE] = {ARMPMU_SIGNAL_TCM_CORRECTABLE_SLAVE, ARMPMU_SIGNAL_TCM_FATAL_SLAVE},
};

static const enum armpmu_signal seen_by_port[3][2] = {
    {ARMPMU_SIGNAL_ATCM_CORRECTABLE, ARMPMU_SIGNAL_ATCM_FATAL},
    {ARMPMU_SIGNAL_B0TCM_CORRECTABLE, ARMPMU_SIGNAL_B0TCM_FATAL},
    {ARMPMU_SIGNAL_B1TCM_CORRECTABLE, ARMPMU_SIGNAL_B1TCM_FATAL},
};

static enum machine_protection protection_of(const struct r4f_memory *memory, enum r4f_place tcm)
{
    return tcm == PLACE_ATCM ? memory->machine->atcm_protection : memory->machine->btcm_protection;
}

void r4f_meet_tcm_error(struct r4f_memory *memory, uint64_t address, enum r4f_place tcm,
                        enum r4f_reader reader)
{
    const enum armpmu_side side = tcm == PLACE_ATCM ? ARMPMU_SIDE_ATCM : ARMPMU_SIDE_BTCM;
    const unsigned port = tcm == PLACE_ATCM ? 0 : 1 + (unsigned)(address >> 3 & 1);

    for (uint32_t i = 0; i < memory->n_errors; i++) {
        struct r4f_error *error = &memory->errors[i];
        if (kinds[error->kind].where != IN_TCM || error->address >> 3 != address >> 3)
            continue;
        /* Parity finds an error of one bit and cannot put it right. */
        const bool fatal =
            kinds[error->kind].fatal || protection_of(memory, tcm) == PROTECTION_PARITY;
        report(memory, seen_by_port[port][fatal], side, 0, error->address);
        report(memory, seen_by_reader[reader][fatal], side, 0, error->address);
        remove_error(memory, error);
        return;
    }
}

/* ---- injection ---- */

/* The name as `--inject` has it. */
static const char *name_of(enum armpmu_injection kind)
{
    return armpmu_injection_name(kind);
}

static enum armpmu_status check_protection(const struct r4f_memory *memory,
                                           enum armpmu_injection kind, const char *section,
                                           enum machine_protection protection,
                                           struct armpmu_error *err)
{
    if (protection != PROTECTION_NONE && (protection != PROTECTION_PARITY || !kinds[kind].fatal))
        return ARMPMU_OK;
    return fail(
        err, ARMPMU_BAD_INPUT,
        "%s: such an error would not be detected: the machine %s has %s.protection = %s; it "
        "takes %s",
        name_of(kind), memory->machine->name, section,
        protection == PROTECTION_NONE ? "none" : "parity",
        kinds[kind].fatal ? "ecc" : "parity or ecc");
}

static enum armpmu_status check_cache(const struct r4f_memory *memory, enum armpmu_injection kind,
                                      struct armpmu_error *err)
{
    const bool code = kinds[kind].where == IN_ICACHE;
    const bool there = code ? memory->has_l1i : memory->has_l1d;
    const enum machine_protection protection =
        code ? memory->machine->l1i_protection : memory->machine->l1d_protection;
    const char *const section = code ? "l1i" : "l1d";

    if (!there)
        return fail(err, ARMPMU_BAD_INPUT,
                    "%s: the machine %s has no such cache; inject into a TCM, or give %s.size_kb",
                    name_of(kind), memory->machine->name, section);
    return check_protection(memory, kind, section, protection, err);
}

static enum armpmu_status check_tcm(const struct r4f_memory *memory, enum armpmu_injection kind,
                                    uint64_t address, struct armpmu_error *err)
{
    const enum r4f_place place = r4f_memory_place(memory, address, false);
    const char *const section = place == PLACE_ATCM ? "atcm" : "btcm";

    if (place != PLACE_ATCM && place != PLACE_BTCM)
        return fail(err, ARMPMU_BAD_INPUT,
                    "%s: no TCM of the machine %s has the address 0x%llx; atcm.base_kb and "
                    "btcm.base_kb say where they are",
                    name_of(kind), memory->machine->name, (unsigned long long)address);
    const enum machine_protection protection = protection_of(memory, place);
    return kind == ARMPMU_INJECT_SLAVE_READ
               ? ARMPMU_OK
               : check_protection(memory, kind, section, protection, err);
}

static void read_by_slave(struct r4f_memory *memory, uint64_t address)
{
    const enum r4f_place place = r4f_memory_place(memory, address, false);
    r4f_meet_tcm_error(memory, address, place == PLACE_ATCM ? PLACE_ATCM : PLACE_BTCM,
                       READER_SLAVE);
}

enum armpmu_status r4f_inject(struct r4f_memory *memory, enum armpmu_injection kind,
                              uint64_t address, struct armpmu_error *err)
{
    const bool cached = kinds[kind].where == IN_ICACHE || kinds[kind].where == IN_DCACHE;
    const enum armpmu_status status =
        cached ? check_cache(memory, kind, err) : check_tcm(memory, kind, address, err);

    if (status != ARMPMU_OK)
        return status;
    if (kind == ARMPMU_INJECT_SLAVE_READ) {
        read_by_slave(memory, address);
        return ARMPMU_OK;
    }
    if (memory->n_errors == R4F_ERRORS_MAX)
        return fail(err, ARMPMU_BAD_INPUT,
                    "%s: %u errors are pending already, at most %d; let the program access some",
                    name_of(kind), memory->n_errors, R4F_ERRORS_MAX);
    memory->errors[memory->n_errors++] = (struct r4f_error){.kind = kind, .address = address};
    line_filter_clear(&memory->loads, R4F_LINE_SHIFT);
    memory->fetch_epoch++;
    return ARMPMU_OK;
}
