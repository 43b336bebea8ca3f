/* The decoder of A32 and T32: rows of bit patterns (a32.def, t32.def, t16.def), a function an
 * operation for what the registers in a row do not say: accesses, branches, effects. Each group of
 * operations has a file, named below. Private to this folder.
 *
 * Knows the instructions of ARMv7-A with VFPv4, NEON, divide, multiprocessing, security and
 * virtualization extensions. Should-be bits are free, UNPREDICTABLE forms are the instruction they
 * look like; docs/decoding.md has the exceptions. */
#ifndef ISA_A32_H
#define ISA_A32_H

#include "isa/decoder.h"

struct operands;

/* Completes *insn, whose class and registers are set. Returns false for what is no instruction. */
typedef bool a32_operation(const struct operands *operands, struct insn *insn);

/* A field of a word: its lower bits, and above them bits from elsewhere. */
struct a32_field {
    uint8_t lsb, width, upper_lsb, upper_width;
};

enum { A32_ROLES_MAX = 6, A32_LETTERS = 'z' - 'A' + 1 };

/* A row, as it is looked up. */
struct a32_form {
    enum insn_class klass;
    enum vector_kind kind;
    uint8_t bytes;
    a32_operation *complete;
    char roles[A32_ROLES_MAX][3];         /* what is done, bank, letter of the field */
    struct a32_field fields[A32_LETTERS]; /* by their letters in the pattern */
};

/* An instruction whose row is found, its registers sorted by what is done with them. */
struct operands {
    const struct a32_form *form;
    uint32_t word;
    uint64_t address;
    bool t32, in_it;
    uint64_t base;   /* the register of an address ...                   */
    uint64_t index;  /* ... and of its offset, 0 for none                */
    uint64_t data;   /* registers loaded or stored ...                   */
    unsigned n_data; /* ... and how many roles they have                 */
    bool sets_flags;
};

/* Core registers, by number. */
enum { SP = 13, LR = 14, PC = 15 };

#define REGS_APSR (REG_FLAGS | REG_GE | REG_Q)

/* The field of a letter, 0 where the row has none. */
static inline uint32_t a32_field(const struct operands *operands, char letter)
{
    const struct a32_field *at = &operands->form->fields[letter - 'A'];
    const uint32_t lower = operands->word >> at->lsb & ((1u << at->width) - 1);

    return lower | (operands->word >> at->upper_lsb & ((1u << at->upper_width) - 1)) << at->width;
}

static inline bool a32_has_field(const struct operands *operands, char letter)
{
    return operands->form->fields[letter - 'A'].width != 0;
}

static inline uint8_t a32_count_registers(uint64_t set)
{
    uint8_t n = 0;
    for (; set != 0; set &= set - 1)
        n++;
    return n;
}

struct a32;

/* NULL without memory. */
struct a32 *a32_new(void);
void a32_free(struct a32 *a32); /* NULL is fine */

/* Fills in *insn, prepared by the caller (offset, size, the IT block's condition, operations 1, the
 * rest zero). Returns false for what is no instruction. */
bool a32_decode(const struct a32 *a32, const struct encoding *code, struct insn *insn);

/* Defines an operation that adds one fact to those of its row. */
#define A32_SETS(operation, member, value)                                                         \
    bool complete_##operation(const struct operands *operands, struct insn *insn)                  \
    {                                                                                              \
        (void)operands;                                                                            \
        insn->member = value;                                                                      \
        return true;                                                                               \
    }

/* ---- a32_data_processing.c ---- */

a32_operation complete_undefined, complete_plain, complete_alu, complete_move, complete_move_top,
    complete_shift, complete_add, complete_subtract, complete_add_plain, complete_subtract_plain,
    complete_add_words, complete_subtract_words, complete_multiply_long, complete_multiply_by_half,
    complete_divide_signed, complete_same_source;

/* ---- a32_load_store.c ---- */

/* Returns whether its class is one of loads. */
bool a32_loads(const struct operands *operands);

/* The access alone, without its address. */
void a32_access_memory(const struct operands *operands, unsigned bytes, unsigned align,
                       struct insn *insn);

/* The address and the write-back, by the fields P, U, i, s and j; RRX by its role. */
void a32_locate(const struct operands *operands, unsigned scale, struct insn *insn);

/* A loaded value wins over the updated base where both go to one register; the PC, UNPREDICTABLE as
 * such a base, stays. */
void a32_write_back(const struct operands *operands, struct insn *insn);

a32_operation complete_transfer, complete_transfer_scaled, complete_preload, complete_preload_below,
    complete_exclusive, complete_swap, complete_multiple, complete_multiple_low, complete_push,
    complete_pop;

/* ---- a32_branch.c ---- */

void a32_return_from_exception(struct insn *insn);

a32_operation complete_branch, complete_branch_link_exchange, complete_branch_short,
    complete_branch_wide, complete_branch_conditional, complete_compare_and_branch,
    complete_exchange, complete_call_register, complete_table_branch, complete_exception_return;

/* ---- a32_system.c ---- */

a32_operation complete_supervisor_call, complete_breakpoint, complete_privileged,
    complete_wait_for_interrupt, complete_order_stores, complete_write_status,
    complete_to_coprocessor, complete_coprocessor_transfer, complete_load_return_state,
    complete_store_return_state;

/* ---- a32_vfp_neon.c ---- */

a32_operation complete_vfp, complete_vfp_add, complete_vfp_multiply, complete_vfp_convert,
    complete_vfp_convert_double, complete_vector_transfer, complete_vector_multiple,
    complete_table_lookup, complete_vector_multiply, complete_multiply_by_element,
    complete_by_element, complete_structures, complete_lane, complete_all_lanes;

#endif
