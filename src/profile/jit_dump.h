/* Functions that programs generate at run time, from the files in which they describe them for perf
 * inject, jit-PID.dump: in the working folder, in /tmp, and where JVMs and the like put them,
 * $JITDUMPDIR/.debug/jit/ or $HOME/.debug/jit/, and a folder for each run there.
 *
 * Code that is loaded has a name; code that is moved keeps it. Lines of source and unwinding data
 * are left out.
 * Source: tools/perf/Documentation/jitdump-specification.txt of Linux. */
#ifndef PROFILE_JIT_DUMP_H
#define PROFILE_JIT_DUMP_H

#include "profile/jit_map.h"

/* Adds the functions of all processes, beside jit_map_read; files count as it says. False without
 * memory. */
bool jit_dump_read(struct jit_map *map);

#endif
