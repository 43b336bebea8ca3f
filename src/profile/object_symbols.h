/* The functions of an ELF file by address: those of its symbol tables (and of its debug file's),
 * entries of the PLT as name@plt, and for code without either, where unwind tables say that
 * functions begin.
 *
 * Addresses are those of the file (p_vaddr). Bit 0 of a Thumb function's symbol is not part of its
 * address. $a, $t, $d and $x are marks, not names; labels without a type or size count where no
 * sized function is. Of several symbols at an address the global one is taken, then the shorter.
 *
 * Unwind tables are .ARM.exidx and .eh_frame. Leaves out: .eh_frame with addresses of other forms
 * than compilers write. */
#ifndef PROFILE_OBJECT_SYMBOLS_H
#define PROFILE_OBJECT_SYMBOLS_H

#include <elfutils/libdwfl.h>

#include "profile/spans.h"

struct code_symbol {
    const char *name;
    uint64_t start, end;
    uint8_t rank; /* of two at an address the greater counts */
};

struct object_symbols {
    struct spans functions, labels; /* values: in symbols */
    struct spans sections;          /* with code */
    bool has_locals;                /* symbols of functions that no other file calls */
    struct code_symbol *symbols;
    size_t n_symbols, room_symbols;
    uint64_t *starts; /* of functions that may have no name, rising */
    size_t n_starts, room_starts;
    char **names; /* made here */
    size_t n_names, room_names;
};

/* How much a symbol's name is worth as the name of the code there; 0: nothing. name may be NULL.
 */
uint8_t object_symbol_rank(const GElf_Sym *symbol, const char *name);

/* Fills zeroed symbols from a file that is at its own addresses; names are borrowed from it. False
 * without memory. object_symbols_free in any case. */
bool object_symbols_load(struct object_symbols *out, Dwfl_Module *module);
void object_symbols_free(struct object_symbols *symbols);

/* In place of that: symbols one by one, with their ends, then their index. Names are borrowed.
 * False without memory. */
bool object_symbols_add(struct object_symbols *symbols, const struct code_symbol *symbol);
bool object_symbols_index(struct object_symbols *symbols);

/* Says that a function begins there. False without memory. object_symbols_sort after the last. */
bool object_symbols_add_start(struct object_symbols *symbols, uint64_t address);
void object_symbols_sort(struct object_symbols *symbols);

/* The function that holds the address: one with a name, perhaps beyond its size, or one without
 * (name NULL), which ends where the next begins. */
struct code_symbol object_symbols_find(const struct object_symbols *symbols, uint64_t address);

#endif
