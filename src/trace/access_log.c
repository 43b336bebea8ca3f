#include "trace/access_log.h"

/* A core counts one of these, or two beside each other. */
static const enum armpmu_signal signals_of[LOGGED][4] = {
    [LOGGED_LOOKUPS] = {ARMPMU_SIGNAL_L1D_ACCESS, ARMPMU_SIGNAL_L1D_READ, ARMPMU_SIGNAL_L1D_WRITE,
                        ARMPMU_SIGNAL_L1D_WORD_ACCESS},
    [LOGGED_REFILLS] = {ARMPMU_SIGNAL_L1D_REFILL, ARMPMU_SIGNAL_L1D_READ_REFILL,
                        ARMPMU_SIGNAL_L1D_WRITE_REFILL, ARMPMU_SIGNAL_L1D_WORD_MISS},
    [LOGGED_TLB_REFILLS] = {ARMPMU_SIGNAL_DTLB_WALK, ARMPMU_SIGNAL_DTLB_READ_REFILL,
                            ARMPMU_SIGNAL_DTLB_WRITE_REFILL, ARMPMU_SIGNAL_DTLB_WRITE_REFILL},
};

static uint64_t counted(const uint64_t *row, unsigned what)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < 4; i++)
        if (i == 0 || signals_of[what][i] != signals_of[what][i - 1])
            sum += row[signals_of[what][i]];
    return sum;
}

void access_log_begin(struct data_access_log *log, const uint64_t *row, struct access_seen *seen)
{
    for (unsigned i = 0; i < LOGGED; i++)
        log->before[i] = counted(row, i);
    *seen = (struct access_seen){0};
}

static bool is_on_stack(const struct insn *insn, enum armpmu_isa isa)
{
    return isa == ARMPMU_A64 ? (insn->reads & REG_XSP) != 0
                             : insn->sum.base == REG_SP || insn->writes_back == REG_SP;
}

static uint8_t kind_of(const struct logged_access *access)
{
    const struct insn *const insn = access->insn;

    return (uint8_t)((insn->memory.load ? ARMPMU_ACCESS_LOADS : 0) |
                     (insn->memory.store ? ARMPMU_ACCESS_STORES : 0) |
                     (is_on_stack(insn, access->isa) ? ARMPMU_ACCESS_ON_STACK : 0));
}

static uint8_t bits_of(uint64_t cycles)
{
    uint8_t bits = 0;

    for (; cycles != 0; cycles >>= 1)
        bits++;
    return bits;
}

void access_log_end(struct data_access_log *log, const uint64_t *row,
                    const struct access_seen *seen, const struct logged_access *access)
{
    const struct armpmu_data_access one = {
        .insn = access->pc,
        .low = access->address,
        .n = 1,
        .lookups = access->lookups + counted(row, LOGGED_LOOKUPS) - log->before[LOGGED_LOOKUPS],
        .refills = counted(row, LOGGED_REFILLS) - log->before[LOGGED_REFILLS],
        .tlb_refills = counted(row, LOGGED_TLB_REFILLS) - log->before[LOGGED_TLB_REFILLS],
        .cycles = access->insn->memory.load ? access->cycles : 0,
        .kind = kind_of(access),
        .source = seen->source,
        .tlb = seen->tlb,
        .latency = access->insn->memory.load ? bits_of(access->cycles) : 0,
    };

    access_table_add(&log->table, &one);
}
