/* The counts of a profile, summed by the user's choice of function, object, line, instruction,
 * thread, or a combination of them.
 *
 * Self counts are of the group's own instructions, inclusive ones also of all that was called
 * from there: a row counts once in a group, however often that is on its call path. Callers of a
 * group are a tree: who called its functions, who called those, by the executed calls; a
 * function that calls itself is there once. */
#ifndef CLI_PROFILE_PROFILE_TABLE_H
#define CLI_PROFILE_PROFILE_TABLE_H

#include <stdio.h>

#include "cli/profile/disassembly.h"
#include "cli/profile/event_columns.h"
#include "profile/event_choice.h"
#include "profile/topdown_leaves.h"

enum profile_key { KEY_SYMBOL, KEY_OBJECT, KEY_LINE, KEY_INSN, KEY_THREAD, PROFILE_KEYS };

struct profile_keys {
    enum profile_key at[PROFILE_KEYS];
    unsigned n;
};

/* The values that all of a group have in common. Numbers are the profile's, of one of them. */
struct profile_group {
    uint64_t identity[PROFILE_KEYS];
    uint32_t thread, insn;
    uint32_t frame; /* of a tree: number of the insn's inlined function; 0: its function */
    uint64_t *self, *inclusive; /* of the choice's events, and those beside them */
    uint32_t first_row;         /* the profile's number + 1; next_rows continues, 0 ends */
    uint32_t parent, depth; /* of a tree: the group that called it, + 1 (0: none), and how many */
};

struct caller {
    const char *name;
    bool is_inlined;
    uint64_t n;                         /* of the first event */
    uint32_t first_child, next_sibling; /* greatest n first; 0: none */
};

struct profile_table {
    const struct profile *profile;
    const struct event_choice *events;
    struct profile_keys keys;
    bool has_inclusive;
    bool has_inlines;             /* callers and functions of a tree that were inlined count, too */
    bool is_tree;                 /* groups are functions where they were called: parents first */
    struct profile_group *groups; /* greatest first, when sorted */
    size_t n_groups, room_groups;
    size_t n_hidden; /* groups that a limit left out */
    struct intern numbers;
    uint32_t *next_rows; /* of each row the next of its group, + 1 */
    struct caller *callers;
    size_t n_callers, room_callers;
    struct disassembly *disassembly; /* where a key is insn */
};

/* Reads a list of keys, "symbol,object". Returns ARMPMU_OK or ARMPMU_BAD_CONFIG. */
ARMPMU_MUST_USE enum armpmu_status profile_keys_parse(const char *list, struct profile_keys *keys,
                                                      struct armpmu_error *err);

/* Sets of groups, each a set with one group more; number 0 is empty. */
struct group_sets {
    struct group_set {
        uint32_t without, group;
    } * at;
    size_t n, room;
};

/* False without memory. The caller frees sets->at, also then. */
bool group_sets_init(struct group_sets *sets);

/* The set with a group: itself where it is in there, so that recursion of any depth makes no more.
 * PROFILE_NONE without memory. */
uint32_t group_sets_add(struct group_sets *sets, uint32_t set, uint32_t group);

/* Adds up and sorts a table of which only the profile, the events, the keys and has_inclusive are
 * set: by the first event, then the next. Groups of less than limit percent of the
 * first event are left out, and those without any count. table is freed by profile_table_free, also
 * after a failure. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status profile_table_make(struct profile_table *table, double limit,
                                                      struct armpmu_error *err);
void profile_table_free(struct profile_table *table);

/* The same of the calls: functions, each below the one that called it, with inclusive counts. In
 * the table, profile, events and has_inlines are set. A function is once on its way from the
 * outermost one, however it recurses. Nodes of less than limit percent of the first event are
 * left out, and what is below them. */
ARMPMU_MUST_USE enum armpmu_status profile_tree_make(struct profile_table *table, double limit,
                                                     struct armpmu_error *err);

/* The parts of a group's own cycles, or with inclusive ones of all of them, by events that were
 * added up beside. Returns how many parts; 0 without memory, too. */
size_t profile_table_topdown(const struct profile_table *table, const struct profile_group *group,
                             struct topdown_part parts[TOPDOWN_LEAVES_MOST]);

/* The callers of a group's own instructions, in table->callers until the next call: number 0 is the
 * group itself. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status profile_table_callers(struct profile_table *table,
                                                         const struct profile_group *group,
                                                         struct armpmu_error *err);

/* ---- texts of an instruction, for all that prints profiles ---- */

const char *profile_symbol(const struct profile *profile, uint32_t insn); /* "[unknown]" */
/* The same, or of an inlined function: a number from 1, outermost first. */
const char *profile_frame(const struct profile *profile, uint32_t insn, uint32_t frame);
/* " (inlined)" after the name of one, else "". */
const char *profile_inlined_mark(bool is_inlined);
const char *profile_object_path(const struct profile *profile, uint32_t insn);

/* "list::sum(int)+0x4", or the function's name alone where the address is its own. */
void profile_print_symbol(const struct profile *profile, uint32_t insn, FILE *stream);

/* ---- pieces of text, for all that prints profiles ---- */

const char *profile_basename(const char *path);

/* Lines that say what was recorded and what it lacks, and an empty one. */
void profile_put_setup(const struct profile *profile, const char *command, FILE *stream);

/* ---- printers; each leaves errors in ferror ---- */

struct profile_print {
    const struct table_options *table;
    const struct metric_choice *metrics;
    unsigned columns; /* of the terminal; 0: no limit */
    bool has_callers, has_topdown, color;
    bool chose_events; /* armpmu did, not the user */
};

ARMPMU_MUST_USE enum armpmu_status profile_print_text(struct profile_table *table,
                                                      const struct profile_print *how, FILE *stream,
                                                      struct armpmu_error *err);
/* In any format but text. */
ARMPMU_MUST_USE enum armpmu_status profile_print_rows(struct profile_table *table,
                                                      const struct profile_print *how, FILE *stream,
                                                      struct armpmu_error *err);

#endif
