/* Source lines and inlined functions of an ELF file by address, from DWARF 2 to 5.
 *
 * Addresses are those of the file (p_vaddr). Units are found by the ranges that they name, not by
 * .debug_aranges, which not every compiler writes; a unit is read when an address of it is asked
 * for. */
#ifndef PROFILE_OBJECT_LINES_H
#define PROFILE_OBJECT_LINES_H

#include <elfutils/libdwfl.h>

#include "profile/spans.h"

#define OBJECT_INLINES_MAX 64u

/* Names are borrowed from the file. file NULL, line 0: not known. */
struct source_line {
    const char *file;
    const char *folder; /* that a relative file is below; NULL: not known */
    uint32_t line;
};

/* A function of a unit, or one that was inlined. */
struct inlined_call {
    const char *symbol;          /* as a symbol table would have it */
    uint32_t first_line;         /* where it is declared; 0: not known */
    struct source_line call;     /* of one that was inlined */
    uint32_t call_discriminator; /* of several pieces of code of that line: which; 0: not known */
    uint64_t entry;              /* of one that was not: where it is entered */
};

struct source_place {
    struct source_line line;
    uint32_t discriminator;
    const struct inlined_call *function; /* that the code is of; NULL: not known */
    bool has_encoded_discriminators;     /* clang's, with more than a number in them */
    unsigned n_inlined;                  /* outermost first */
    struct inlined_call inlined[OBJECT_INLINES_MAX];
};

struct object_unit {
    Dwarf_Die die;
    bool is_read;
    bool is_clangs;
    const char *folder;              /* that the compiler ran in; NULL: not known */
    struct spans functions, inlined; /* values: in the calls of all units */
};

struct object_lines {
    uint64_t bias; /* of the file with the debug data to that with the code */
    struct object_unit *units;
    size_t n_units, room_units;
    struct spans ranges; /* of units */
    size_t n_missing;    /* units whose split debug data are not there: no inlined functions... */
    const char *missing; /* ...and the file of one of them */
    struct inlined_call *calls;
    size_t n_calls, room_calls;
};

/* Fills zeroed lines; they are empty where there is no debug data. False without memory.
 * object_lines_free in any case. */
bool object_lines_load(struct object_lines *out, Dwfl_Module *module);
void object_lines_free(struct object_lines *lines);

/* Why debug data of the units that were asked for are not there, for a message, or NULL. The caller
 * frees it; NULL also without memory. */
char *object_lines_lack(const struct object_lines *lines, Dwfl_Module *module);

/* The source of an address. False without memory. */
bool object_lines_find(struct object_lines *lines, uint64_t address, struct source_place *out);

#endif
