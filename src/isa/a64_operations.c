/* The meaning of an A64 instruction's bits beyond the registers that its row names. */
#include "isa/a64.h"

enum { LINK = 30 };

static uint64_t x_register(unsigned n)
{
    return n < 31 ? REG_X(n) : 0;
}

static uint64_t base_register(uint32_t word)
{
    const unsigned n = field(word, 9, 5);

    return n < 31 ? REG_X(n) : REG_XSP;
}

/* n V registers from the first on, D31 followed by D0. */
static uint64_t v_registers(unsigned first, unsigned n)
{
    uint64_t set = 0;

    for (unsigned i = 0; i < n; i++)
        set |= REG_V((first + i) % 32);
    return set;
}

static void read_early(struct insn *insn, uint64_t set)
{
    insn->reads |= set;
    insn->reads_early |= set;
}

/* ---- data processing --------------------------------------------------------------------------
 */

/* A pattern of ones, rotated and repeated: one of the sizes 2 to 64, and neither none nor all.
 * Source: Arm DDI 0487, DecodeBitMasks(). */
bool a64_is_bit_mask(uint32_t word)
{
    const unsigned ones = field(word, 15, 10);
    const unsigned size_bits = (unsigned)bit(word, 22) << 6 | (~ones & 0x3f);
    unsigned levels = 64;

    if (size_bits < 2 || (bit(word, 22) && !bit(word, 31)))
        return false;
    while ((size_bits & levels) == 0)
        levels >>= 1;
    levels--;
    return (ones & levels) != levels;
}

/* long_shift: of the class of shifts. */
static void read_second(struct insn *insn, uint32_t word, bool shifted, bool long_shift)
{
    const uint64_t set = x_register(field(word, 20, 16));

    insn->reads |= set;
    if (shifted)
        insn->reads_early |= set;
    if (long_shift)
        insn->klass = CLASS_ALU_SHIFT;
}

/* A plain ALU does these in its one cycle: a short shift to the left of an addition, any shift of a
 * logical operation that sets no flags. Source: LLVM's models of Neoverse N1, V1 and N2, from Arm's
 * software optimization guides of these cores. */
#define SHORT_SHIFT 4

static void complete_shifted(uint32_t word, struct insn *insn)
{
    const unsigned amount = field(word, 15, 10), kind = field(word, 23, 22);
    const bool adds = bit(word, 24);
    const bool plain = adds ? kind == 0 && amount <= SHORT_SHIFT : !insn->writes_flags;

    insn->shifts_by_number = amount != 0;
    read_second(insn, word, amount != 0, amount != 0 && !plain);
}

/* Extending a register of the operation's own width by no bits is none. */
static void complete_extended(uint32_t word, struct insn *insn)
{
    const unsigned whole = bit(word, 31) ? 3 : 2;

    const bool extends = (field(word, 14, 13) & 3) != whole || field(word, 12, 10) != 0;

    read_second(insn, word, extends, extends);
}

static void complete_table(uint32_t word, struct insn *insn)
{
    insn->operations = (uint8_t)(field(word, 14, 13) + 1);
    insn->reads |= v_registers(field(word, 9, 5), insn->operations);
    if (bit(word, 12))
        insn->vector.kind = VECTOR_TABLE_KEEP;
}

/* ---- branches and the system ------------------------------------------------------------------
 */

static void branch_to(struct insn *insn, uint64_t address, uint32_t offset, unsigned width)
{
    const unsigned unused = 64 - width;
    const int64_t words = (int64_t)((uint64_t)offset << unused) >> unused;

    insn->branch = BRANCH_IMMEDIATE;
    insn->target = address + (uint64_t)words * 4;
}

static void branch_if(uint32_t word, uint64_t address, struct insn *insn)
{
    const unsigned condition = field(word, 3, 0);

    branch_to(insn, address, field(word, 23, 5), 19);
    if (condition >= 14)
        return;
    insn->condition = (uint8_t)condition;
    insn->reads_flags = true;
}

static void branch_always(uint32_t word, uint64_t address, struct insn *insn)
{
    branch_to(insn, address, field(word, 25, 0), 26);
    insn->links = bit(word, 31);
    insn->writes |= insn->links ? REG_X(LINK) : 0;
}

/* op0, op1, CRn, CRm, op2 of MRS and MSR, as they lie in the word. */
#define SYSTEM_REGISTER(op0, op1, crn, crm, op2)                                                   \
    ((op0) << 14 | (op1) << 11 | (crn) << 7 | (crm) << 3 | (op2))

enum {
    NZCV = SYSTEM_REGISTER(3, 3, 4, 2, 0),
    TTBR0_EL1 = SYSTEM_REGISTER(3, 0, 2, 0, 0),
    TTBR1_EL1 = SYSTEM_REGISTER(3, 0, 2, 0, 1),
    CONTEXTIDR_EL1 = SYSTEM_REGISTER(3, 0, 13, 0, 1),
    PMSWINC_EL0 = SYSTEM_REGISTER(3, 3, 9, 12, 4),
    CTR_EL0 = SYSTEM_REGISTER(3, 3, 0, 0, 1),
    DCZID_EL0 = SYSTEM_REGISTER(3, 3, 0, 0, 7),
    RNDR = SYSTEM_REGISTER(3, 3, 2, 4, 0),
    RNDRRS = SYSTEM_REGISTER(3, 3, 2, 4, 1),
    FPCR = SYSTEM_REGISTER(3, 3, 4, 4, 0),
    FPSR = SYSTEM_REGISTER(3, 3, 4, 4, 1),
    TPIDR_EL0 = SYSTEM_REGISTER(3, 3, 13, 0, 2),
    TPIDRRO_EL0 = SYSTEM_REGISTER(3, 3, 13, 0, 3),
};

/* Which registers User mode always has: those that no control register can take from it. */
static bool is_of_user_mode(unsigned number)
{
    return number == NZCV || number == FPCR || number == FPSR || number == CTR_EL0 ||
           number == DCZID_EL0 || number == TPIDR_EL0 || number == TPIDRRO_EL0 || number == RNDR ||
           number == RNDRRS;
}

/* PMCR_EL0 to PMOVSSET_EL0, PMEVCNTR<n>_EL0 to PMCCFILTR_EL0, AMCR_EL0 to AMEVTYPER1<n>_EL0. */
static bool is_of_monitor(unsigned number)
{
    const unsigned crn = number >> 7 & 15, crm = number >> 3 & 15;

    return number >> 11 == SYSTEM_REGISTER(3, 3, 0, 0, 0) >> 11 &&
           ((crn == 9 && crm >= 12) || (crn == 14 && crm >= 8) || (crn == 13 && crm >= 2));
}

static void complete_read_system(uint32_t word, struct insn *insn)
{
    const unsigned number = field(word, 20, 5);

    insn->reads_flags = number == NZCV;
    insn->writes_flags = number == RNDR || number == RNDRRS;
    insn->barrier = is_of_monitor(number) ? BARRIER_MONITOR : BARRIER_NONE;
    if (!is_of_user_mode(number))
        insn->effect = EFFECT_SYSTEM;
}

static void complete_write_system(uint32_t word, struct insn *insn)
{
    const unsigned number = field(word, 20, 5);

    insn->writes_flags = number == NZCV;
    insn->barrier = is_of_monitor(number) ? BARRIER_MONITOR : BARRIER_NONE;
    if (number == CONTEXTIDR_EL1)
        insn->effect = EFFECT_CONTEXTIDR_WRITE;
    else if (number == TTBR0_EL1 || number == TTBR1_EL1)
        insn->effect = EFFECT_TTBR_WRITE;
    else if (number == PMSWINC_EL0)
        insn->effect = EFFECT_SW_INCREMENT;
    else if (!is_of_user_mode(number))
        insn->effect = EFFECT_SYSTEM;
}

/* ---- memory ------------------------------------------------------------------------------------
 */

static bool is_load(const struct insn *insn)
{
    return insn->klass == CLASS_LOAD || insn->klass == CLASS_NEON_LOAD;
}

static void access_memory(struct insn *insn, unsigned bytes, unsigned align)
{
    const bool atomic = insn->klass == CLASS_ATOMIC;

    insn->memory = (struct insn_memory){
        .load = atomic || is_load(insn),
        .store = atomic || !is_load(insn),
        .neon = insn->klass == CLASS_NEON_LOAD || insn->klass == CLASS_NEON_STORE,
        .multiple = bytes > 8,
        .bytes = (uint16_t)bytes,
        .align = (uint8_t)align,
    };
}

static void write_back(struct insn *insn, uint32_t word)
{
    insn->writes |= base_register(word);
    insn->writes_back |= base_register(word);
}

static unsigned bytes_of(const struct a64_form *form, uint32_t word)
{
    return form->bytes != 0 ? form->bytes : 1u << field(word, 31, 30);
}

static void complete_transfer(const struct a64_form *form, uint32_t word, struct insn *insn)
{
    access_memory(insn, bytes_of(form, word), bytes_of(form, word));
}

static void complete_pair(const struct a64_form *form, uint32_t word, struct insn *insn)
{
    access_memory(insn, 2u * form->bytes, form->bytes);
    insn->memory.multiple = true;
    insn->memory.extends = insn->klass == CLASS_LOAD && field(word, 31, 30) == 1;
    insn->operations = 2;
}

static void order(struct insn *insn, bool acquires, bool releases)
{
    insn->acquires = acquires;
    insn->releases = releases;
}

static void complete_ordered(const struct a64_form *form, uint32_t word, struct insn *insn)
{
    order(insn, is_load(insn), !is_load(insn));
    complete_transfer(form, word, insn);
}

static void complete_compare_and_swap(const struct a64_form *form, uint32_t word, struct insn *insn)
{
    order(insn, bit(word, 22), bit(word, 15));
    complete_transfer(form, word, insn);
    insn->operations = 2;
}

/* One whose value goes nowhere orders nothing after it. */
static void complete_atomic(const struct a64_form *form, uint32_t word, struct insn *insn)
{
    order(insn, bit(word, 23) && field(word, 4, 0) != 31, bit(word, 22));
    complete_transfer(form, word, insn);
    insn->operations = 2;
}

static void complete_exclusive(const struct a64_form *form, uint32_t word, struct insn *insn)
{
    const unsigned n = form->operation == A64_EXCLUSIVE_PAIR ? 2 : 1;

    insn->monitors = true;
    order(insn, is_load(insn) && bit(word, 15), !is_load(insn) && bit(word, 15));
    access_memory(insn, n << field(word, 31, 30), n << field(word, 31, 30));
    insn->memory.exclusive = true;
    insn->memory.multiple = n > 1;
    insn->operations = (uint8_t)n;
}

static bool complete_compare_and_swap_pair(uint32_t word, struct insn *insn)
{
    const unsigned compared = field(word, 20, 16), stored = field(word, 4, 0);
    const unsigned bytes = bit(word, 30) ? 16 : 8;
    const uint64_t both = x_register(compared) | x_register(compared + 1);

    order(insn, bit(word, 22), bit(word, 15));
    access_memory(insn, bytes, bytes);
    insn->memory.multiple = true;
    insn->reads |= both | x_register(stored) | x_register(stored + 1);
    insn->reads_late |= both | x_register(stored) | x_register(stored + 1);
    insn->writes |= both;
    insn->operations = 4;
    return compared % 2 == 0 && stored % 2 == 0;
}

/* Eight registers from an even one below X24 on. */
static bool complete_block_64(uint32_t word, struct insn *insn)
{
    const unsigned first = field(word, 4, 0);
    uint64_t set = 0;

    if (first % 2 != 0 || first > 22)
        return false;
    for (unsigned i = 0; i < 8; i++)
        set |= x_register(first + i);
    access_memory(insn, 64, 64);
    insn->operations = 8;
    if (is_load(insn)) {
        insn->writes |= set;
    } else {
        insn->reads |= set;
        insn->reads_late |= set;
    }
    return true;
}

/* Tags are stored beside memory; STZG and STZ2G clear the memory, too. Bits 11 and 10 say whether
 * the base moves. */
static void complete_tags(const struct a64_form *form, uint32_t word, struct insn *insn)
{
    if (form->bytes != 0)
        access_memory(insn, form->bytes, 16);
    if (bit(word, 10))
        write_back(insn, word);
}

/* ---- vectors in memory -------------------------------------------------------------------------
 */

static void move_vectors(struct insn *insn, uint64_t set, unsigned n)
{
    insn->operations = (uint8_t)n;
    if (is_load(insn)) {
        insn->writes |= set;
    } else {
        insn->reads |= set;
        insn->reads_late |= set;
    }
}

/* LD2 to LD4, ST2 to ST4: the elements of a structure go to different registers. */
static bool interleaves(uint32_t word)
{
    return (field(word, 15, 12) & 3) == 0;
}

static void complete_list(const struct a64_form *form, uint32_t word, struct insn *insn)
{
    const unsigned n = form->bytes, element_bytes = 1u << field(word, 11, 10);

    access_memory(insn, n * (bit(word, 30) ? 16 : 8), element_bytes);
    insn->memory.multiple = insn->memory.bytes > element_bytes;
    move_vectors(insn, v_registers(field(word, 4, 0), n), n);
    if (is_load(insn) && interleaves(word))
        insn->vector.kind = n > 2 ? VECTOR_LOAD_FOUR : VECTOR_LOAD_TWO;
}

static unsigned structure_elements(uint32_t word)
{
    return ((unsigned)bit(word, 13) << 1 | bit(word, 21)) + 1;
}

static void move_lane(unsigned element_bytes, uint32_t word, struct insn *insn)
{
    const unsigned n = structure_elements(word);
    const uint64_t set = v_registers(field(word, 4, 0), n);

    access_memory(insn, n * element_bytes, element_bytes);
    insn->memory.multiple = n > 1;
    move_vectors(insn, set, n);
}

/* A load keeps the other lanes of the register. */
static void complete_lane(const struct a64_form *form, uint32_t word, struct insn *insn)
{
    move_lane(form->bytes, word, insn);
    const uint64_t written = insn->writes & ~insn->writes_back;

    if (!is_load(insn))
        return;
    insn->reads |= written;
    insn->reads_late |= written;
    insn->vector.kind = insn->operations > 2 ? VECTOR_LOAD_LANES : VECTOR_LOAD_LANE;
}

static void complete_replicate(const struct a64_form *form, uint32_t word, struct insn *insn)
{
    (void)form;
    move_lane(1u << field(word, 11, 10), word, insn);
    insn->vector.kind = insn->operations > 2 ? VECTOR_LOAD_ALLS : VECTOR_LOAD_ALL;
}

/* After the access the base moves by its bytes, or by a register. */
static void move_base(uint32_t word, struct insn *insn)
{
    read_early(insn, x_register(field(word, 20, 16)));
    write_back(insn, word);
}

/* CHOICE(zva-unseen) */
static void complete_zero_line(const struct a64_form *form, uint32_t word, struct insn *insn)
{
    (void)word;
    access_memory(insn, form->bytes, 1);
    insn->memory.multiple = false;
    insn->memory.exclusive = true;
}

/* How each operation moves its base, before its access, and what the access does. */
static const struct {
    bool writes_back, moves_base;
    void (*access)(const struct a64_form *form, uint32_t word, struct insn *insn);
} accesses[] = {
    [A64_ZERO_LINE] = {.access = complete_zero_line},
    [A64_TAGS] = {.access = complete_tags},
    [A64_TRANSFER] = {.access = complete_transfer},
    [A64_WRITE_BACK] = {.writes_back = true, .access = complete_transfer},
    [A64_PAIR] = {.access = complete_pair},
    [A64_PAIR_WRITE_BACK] = {.writes_back = true, .access = complete_pair},
    [A64_ORDERED] = {.access = complete_ordered},
    [A64_EXCLUSIVE] = {.access = complete_exclusive},
    [A64_EXCLUSIVE_PAIR] = {.access = complete_exclusive},
    [A64_ATOMIC] = {.access = complete_atomic},
    [A64_COMPARE_AND_SWAP] = {.access = complete_compare_and_swap},
    [A64_LIST] = {.access = complete_list},
    [A64_LIST_WRITE_BACK] = {.moves_base = true, .access = complete_list},
    [A64_LANE] = {.access = complete_lane},
    [A64_LANE_WRITE_BACK] = {.moves_base = true, .access = complete_lane},
    [A64_REPLICATE] = {.access = complete_replicate},
    [A64_REPLICATE_WRITE_BACK] = {.moves_base = true, .access = complete_replicate},
};

static void complete_memory(const struct a64_form *form, uint32_t word, struct insn *insn)
{
    const unsigned operation = form->operation;

    if (operation >= sizeof accesses / sizeof accesses[0] || accesses[operation].access == NULL)
        return;
    if (accesses[operation].writes_back)
        write_back(insn, word);
    if (accesses[operation].moves_base)
        move_base(word, insn);
    accesses[operation].access(form, word, insn);
}

/* The low bits of CRm name the kinds of accesses; zero means both. */
static void complete_barrier(uint32_t word, struct insn *insn, enum insn_barrier barrier)
{
    const unsigned types = word >> 8 & 3;

    insn->barrier = barrier;
    insn->after_loads = types != 2;
    insn->after_stores = types != 1;
    insn->orders_stores = true;
}

/* The effects of an operation that its other bits do not change. */
static const struct {
    uint64_t reads, writes;
    uint8_t branch, effect, barrier;
    bool links, compares_zero, waits_for_interrupt;
} fixed[] = {
    [A64_COMPARE_AND_BRANCH] = {.compares_zero = true},
    [A64_TEST_AND_BRANCH] = {.compares_zero = true},
    [A64_CALL_REGISTER] = {.branch = BRANCH_INDIRECT, .links = true, .writes = REG_X(LINK)},
    [A64_BRANCH_REGISTER] = {.branch = BRANCH_INDIRECT},
    [A64_RETURN] = {.branch = BRANCH_RETURN},
    [A64_RETURN_SIGNED] = {.branch = BRANCH_RETURN, .reads = REG_X(LINK) | REG_XSP},
    [A64_EXCEPTION_RETURN] = {.branch = BRANCH_EXCEPTION_RETURN, .effect = EFFECT_SYSTEM},
    [A64_SUPERVISOR_CALL] = {.effect = EFFECT_SYSCALL},
    [A64_BREAKPOINT] = {.effect = EFFECT_BREAKPOINT},
    [A64_PRIVILEGED] = {.effect = EFFECT_SYSTEM},
    [A64_WAIT] = {.effect = EFFECT_WAIT},
    [A64_WAIT_FOR_INTERRUPT] = {.effect = EFFECT_WAIT, .waits_for_interrupt = true},
    [A64_ORDER_INSTRUCTIONS] = {.barrier = BARRIER_INSTRUCTION},
    [A64_SIGN_LINK] = {.reads = REG_X(LINK), .writes = REG_X(LINK)},
    [A64_SIGN_LINK_SP] = {.reads = REG_X(LINK) | REG_XSP, .writes = REG_X(LINK)},
    [A64_SIGN_X17] = {.reads = REG_X(17) | REG_X(16), .writes = REG_X(17)},
};

static void complete_fixed(unsigned operation, struct insn *insn)
{
    if (operation >= sizeof fixed / sizeof fixed[0])
        return;
    insn->reads |= fixed[operation].reads;
    insn->writes |= fixed[operation].writes;
    insn->links |= fixed[operation].links;
    insn->compares_zero |= fixed[operation].compares_zero;
    insn->waits_for_interrupt |= fixed[operation].waits_for_interrupt;
    if (fixed[operation].branch != 0)
        insn->branch = fixed[operation].branch;
    if (fixed[operation].effect != 0)
        insn->effect = fixed[operation].effect;
    if (fixed[operation].barrier != 0)
        insn->barrier = fixed[operation].barrier;
}

bool a64_complete(const struct a64_form *form, uint32_t word, uint64_t address, struct insn *insn)
{
    complete_fixed(form->operation, insn);
    complete_memory(form, word, insn);
    switch ((enum a64_operation)form->operation) {
    case A64_UNDEFINED:
        return false;
    case A64_LOGICAL_IMMEDIATE:
        return a64_is_bit_mask(word);
    case A64_COMPARE_AND_SWAP_PAIR:
        return complete_compare_and_swap_pair(word, insn);
    case A64_BLOCK_64:
        return complete_block_64(word, insn);
    case A64_SHIFTED:
        complete_shifted(word, insn);
        break;
    case A64_EXTENDED:
        complete_extended(word, insn);
        break;
    case A64_TABLE:
        complete_table(word, insn);
        break;
    case A64_BRANCH_CONDITIONAL:
        branch_if(word, address, insn);
        break;
    case A64_BRANCH_ALWAYS:
        branch_always(word, address, insn);
        break;
    case A64_COMPARE_AND_BRANCH:
        branch_to(insn, address, field(word, 23, 5), 19);
        break;
    case A64_TEST_AND_BRANCH:
        branch_to(insn, address, field(word, 18, 5), 14);
        break;
    case A64_ORDER_STORES:
        complete_barrier(word, insn, BARRIER_SYNC);
        break;
    case A64_ORDER_MEMORY:
        complete_barrier(word, insn, BARRIER_MEMORY);
        break;
    case A64_HINT:
        insn->work.unit = WORK_NONE;
        break;
    case A64_READ_SYSTEM:
        complete_read_system(word, insn);
        break;
    case A64_WRITE_SYSTEM:
        complete_write_system(word, insn);
        break;
    default:
        break;
    }
    return true;
}
