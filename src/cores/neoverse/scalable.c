/* The scalable vector extension as each core with it executes it: a look-up in scalable.def, whose
 * rows are facts of three cores and so no keys of a machine, which would be 300. Cores without it,
 * that a guest may be given SVE on, take the Neoverse N2's. */
#include "cores/neoverse/core.h"

#include <string.h>

struct scalable_row {
    uint8_t kind, elements; /* bytes of them, as bits */
    struct scalable_time of[3];
};

enum { B = 1, H = 2, S = 4, D = 8, ANY = 15 };

static const struct scalable_row rows[] = {
#define T(unit, also, times, latency, link)                                                        \
    {                                                                                              \
        UNIT_##unit, UNIT_##also, times, latency, link                                             \
    }
#define TIME(kind, elements, ...) {SVE_##kind, elements, {__VA_ARGS__}},
#include "cores/neoverse/scalable.def"
#undef T
#undef TIME
};

static unsigned column_of(const struct armpmu_machine *machine)
{
    const struct armpmu_core *const core = armpmu_machine_core(machine);

    if (core == NULL) /* one that a test makes up */
        return 1;
    return strcmp(core->name, "neoverse-v1") == 0   ? 0
           : strcmp(core->name, "neoverse-v2") == 0 ? 2
                                                    : 1;
}

/* LD3 and LD4, ST3 and ST4: LLVM has them take three and four load pipes, and 5 and 9 store pipes,
 * of the V2 9 and 18. */
static void lengthen(struct scalable_time *time, enum sve_kind kind, unsigned n, unsigned column)
{
    static const uint8_t load_latency[3][5] = {{0, 6, 8, 11, 12}, {0, 6, 8, 9, 9}, {0, 6, 8, 9, 9}};
    static const uint8_t load_times[3][5] = {{0, 1, 2, 3, 4}, {0, 1, 1, 1, 2}, {0, 1, 2, 3, 4}};
    static const uint8_t store_latency[5] = {0, 2, 4, 7, 11};
    static const uint8_t store_times[3][5] = {{0, 1, 1, 5, 9}, {0, 1, 1, 5, 9}, {0, 1, 1, 9, 18}};

    if (kind == SVE_STORE_MANY) {
        time->latency = store_latency[n];
        time->times = store_times[column][n];
    } else if (kind == SVE_LOAD_MANY || kind == SVE_LOAD_MANY_INDEXED) {
        time->latency = (uint8_t)(load_latency[column][n] + (kind != SVE_LOAD_MANY && n > 1));
        time->times = load_times[column][n];
        if (n == 1) /* LDNT1: one vector as it is */
            time->also = UNIT_NONE;
    }
}

struct scalable_time neoverse_scalable_time(const struct insn *insn,
                                            const struct armpmu_machine *machine)
{
    const unsigned column = column_of(machine);
    const struct scalable_row *row = rows;

    while (row->kind != insn->scalable.kind || (row->elements & insn->scalable.element_bytes) == 0)
        row++;
    struct scalable_time time = row->of[column];
    lengthen(&time, insn->scalable.kind, insn->operations, column);
    return time;
}
