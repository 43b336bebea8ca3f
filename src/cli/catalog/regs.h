/* A register as `armpmu regs` shows it, and the ways to show it. */
#ifndef CLI_CATALOG_REGS_H
#define CLI_CATALOG_REGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "armpmu/catalog.h"
#include "cli/table/table.h"

/* A register of a core, or one element of an array of them. */
struct regs_target {
    const struct armpmu_core *core;
    const struct armpmu_register *reg;
    unsigned element;      /* 0 where none is named */
    bool element_is_named; /* "EVTSEL2", not "EVTSEL" */
};

/* The text that a function below writes at most, terminated. */
#define REGS_TEXT_MAX 256

/* ---- words, the same in every format ---- */

/* "p15, 0, c9, c12, 0", "p14, c0", "S3_3_C13_C2_0", "EXT32 0x400". */
void regs_encoding(const struct armpmu_encoding *at, char *text, size_t size);

/* A encodings's encodings: the only one, that of the first and last element, or "EXT32 0x400 + 4n".
 */
void regs_encoding_text(const struct armpmu_register *reg, const struct armpmu_encodings *encodings,
                        char *text, size_t size);

/* Returns whether the register can be written by an access: the memory-mapped view shows
 * registers of the instructions too, but read-only. */
bool regs_can_write(const struct armpmu_register *reg, enum armpmu_access access);

/* The instructions that read and write the register by an access: "MRC, MCR", or "load" of the
 * memory-mapped view.
 */
const char *regs_instructions(const struct armpmu_register *reg, enum armpmu_access access);

/* "EVTSEL2", "AMEVCNTR02_EL0"; a register that is no array has its own name. */
void regs_element_name(const char *pattern, unsigned count, unsigned element, char *text,
                       size_t size);

/* The name of a target: an element's, or the register's with its "<n>". */
void regs_target_name(const struct regs_target *target, char *text, size_t size);

/* "31:24", "0". */
void regs_bits(const struct armpmu_field *field, char *text, size_t size);

/* "RW", "RO" or "WO". */
const char *regs_type(const struct armpmu_register *reg);

/* The access of unprivileged code to the register, in brief and as a sentence. */
const char *regs_user_access(const struct armpmu_register *reg);
const char *regs_access(const struct armpmu_register *reg);

/* How many hexadecimal digits a value of the register has. */
int regs_digits(const struct armpmu_register *reg);

/* The register that chooses the element of an array with one encoding; NULL if there is none. */
const struct armpmu_register *regs_selector(const struct armpmu_core *core,
                                            const struct armpmu_register *reg);

/* ---- values ---- */

/* The catalogue's remark on a field with this value in the register: the name of the event, that
 * reserved bits are set, or that the field reads something else; "" for nothing. Returns whether
 * the value cannot be read from the register. */
bool regs_remark(const struct regs_target *target, const struct armpmu_field *field, uint64_t value,
                 char *text, size_t size);

/* The number in the word, which fits the register. Complains if it is none, or does not fit. */
bool regs_parse_value(const struct regs_target *target, const char *word, uint64_t *value);

/* The value after reset with the fields of "E=1,D=1" replaced; words is NULL-terminated. Complains
 * about a field that is not there, cannot be written or cannot hold its value. */
bool regs_parse_fields(const struct regs_target *target, char *const *words, uint64_t *value);

/* ---- instructions ---- */

/* The registers that an instruction may name. */
struct regs_operand {
    bool aarch32, aarch64; /* which instruction sets are wanted */
    unsigned number;
};

/* "r3" and "x3" for one instruction set, "3" for both; "" for none given, which is r0 and x0.
 * Complains if there is no such register, or an instruction cannot use it. */
bool regs_parse_operand(const struct regs_target *target, const char *word,
                        struct regs_operand *operand);

/* A way to read or write a target. */
struct regs_line {
    enum armpmu_access access;
    struct armpmu_encoding at;
    bool write;
    unsigned bytes;    /* of a memory-mapped view, else 0 */
    char assembly[64]; /* of an instruction, GNU syntax; "" for a memory-mapped view */
};

#define REGS_LINES_MAX 16

/* All of them, in the order of the register's encodings, reads first. Returns how many. */
size_t regs_lines(const struct regs_target *target, const struct regs_operand *operand,
                  struct regs_line lines[REGS_LINES_MAX]);

/* ---- text ---- */

/* All about one register; of an array all elements, or the one that is named. */
void regs_print_register(const struct regs_target *target, bool color, FILE *stream);
void regs_print_decoded(const struct regs_target *target, uint64_t value, bool color, FILE *stream);
void regs_print_assembly(const struct regs_target *target, const struct regs_operand *operand,
                         FILE *stream);

/* The page of a core in docs/registers. */
void regs_print_page(const struct armpmu_core *core, FILE *stream);

/* ---- what a device says ---- */

/* The value after reset of the target's element. */
uint64_t regs_reset(const struct regs_target *target);

#define REGS_MODES_MAX 4

/* The table that a manual prints beside a register: what an access comes to. */
struct regs_access_table {
    const char *modes[REGS_MODES_MAX]; /* "Secure privileged" */
    unsigned n_modes;
    bool has_user_enable;                /* two rows, else one */
    const char *read[2][REGS_MODES_MAX]; /* by USEREN.EN and mode: "Data", "Undefined" */
    const char *write[2][REGS_MODES_MAX];
};

/* The register whose bit EN opens others to User mode or EL0; NULL if the core has none. */
const struct armpmu_register *regs_user_enable(const struct armpmu_core *core);

/* In which circumstances regs_ask_access() asks: a sentence, or "" where nothing depends on any. */
const char *regs_circumstances(const struct armpmu_core *core);

/* Asks a device of the core, by the first instruction that reaches the register. Returns false if
 * no instruction does, or the core has no device. */
bool regs_ask_access(const struct armpmu_core *core, const struct armpmu_register *reg,
                     struct regs_access_table *table);

/* ---- rows of a table ---- */

/* For `armpmu regs CORE` and `armpmu list reg`: the cells of a register, in the row that has begun.
 */
extern const struct table_form list_register_form;
void regs_put(struct report_table *table, const struct regs_target *target);

/* A value's fields, or the accesses of a register, but not as text. Return what table_end does. */
ARMPMU_MUST_USE enum armpmu_status regs_print_value(const struct regs_target *target,
                                                    uint64_t value,
                                                    const struct table_options *options,
                                                    FILE *stream, struct armpmu_error *err);
ARMPMU_MUST_USE enum armpmu_status regs_print_accesses(const struct regs_target *target,
                                                       const struct regs_operand *operand,
                                                       const struct table_options *options,
                                                       FILE *stream, struct armpmu_error *err);

#endif
