/* Names of code: functions, source lines and inlined functions of the instructions of a profile, by
 * the symbol tables and debug data of the objects that they came from.
 *
 * Debug data is in the object, or in a file of its own, found by build id or debug link beside the
 * object and in /usr/lib/debug, both below the sysroot as well. Code without a symbol belongs to a
 * function named object+0xOFFSET, or [0xADDRESS] where there is no object: one that begins where
 * unwind tables or calls say that one does.
 *
 * The kernel of a guest and its modules have a text file in place of theirs (kernel_symbols.h).
 *
 * Leaves out: Mach-O, PE. */
#ifndef PROFILE_SYMBOLS_H
#define PROFILE_SYMBOLS_H

#include "profile/jit_map.h"
#include "profile/kernel_symbols.h"
#include "profile/profile.h"

/* Where an object's symbols are that is no file on the host, as its path says: in another file, or
 * in a kernel's list; those of code of no object in what its program wrote. */
struct symbol_source {
    const char *object; /* path; NULL: code of no object */
    struct jit_map *jit;
    const char *file; /* NULL: */
    const struct kernel_symbols *kernel;
    uint32_t module;  /* of it */
    uint32_t process; /* that a file is the program of, in a machine */
};

/* Gives every instruction of the profile a function, and a line and inlines where they are known;
 * every function that a path calls a symbol and a name. Objects have their bias; functions that are
 * there may have an address and an object alone. Objects without a build id get theirs. A file that
 * cannot be read, or is another than the one that ran (build id), is one without symbols. sysroot:
 * where objects are looked for first; NULL: none. sources: n_sources of them. Returns ARMPMU_OK or
 * ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status symbols_resolve(struct profile *profile, const char *sysroot,
                                                   const struct symbol_source *sources,
                                                   size_t n_sources, struct armpmu_error *err);

#endif
