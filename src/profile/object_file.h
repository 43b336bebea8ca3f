/* Opens an object's file for libdw, with its debug file if there is one: beside the object, or in
 * the folders where systems put them. */
#ifndef PROFILE_OBJECT_FILE_H
#define PROFILE_OBJECT_FILE_H

#include <stdbool.h>

#include <elfutils/libdwfl.h>

struct object_file {
    Dwfl *dwfl;
    Dwfl_Module *module; /* at the addresses of the file; NULL where it cannot be read */
    Dwfl_Callbacks callbacks;
    char *root; /* the sysroot's absolute path, or NULL */
    char *folders;
};

/* sysroot: looked into first; NULL for none. False without memory. object_file_close in any case;
 * not to be copied while it is open. */
bool object_file_open(struct object_file *out, const char *path, const char *sysroot);
void object_file_close(struct object_file *file);

/* Returns whether a unit's functions, variables and types are there: those of a skeleton
 * (-gsplit-dwarf) are in a .dwo file where it was compiled, or beside the object. Gives their
 * entry; of a unit without them, its own. */
bool object_file_unit(const Dwarf_Die *unit, Dwarf_Die *whole);

/* The build ID, in lower-case hex; the caller frees it. NULL: it has none, or without memory. */
char *object_file_id(Dwfl_Module *module);

/* Returns whether it is the file's; NULL: that it has none. */
bool object_file_has_id(Dwfl_Module *module, const char *id);

#endif
