/* The machine files that came with armpmu when it was compiled. */
#ifndef MACHINE_BUILT_IN_H
#define MACHINE_BUILT_IN_H

#include <stdio.h>

/* Opens the file of a name for reading; the caller closes it. NULL where there is none, or, with
 * errno ENOMEM, no memory. */
FILE *built_in_open(const char *name);

#endif
