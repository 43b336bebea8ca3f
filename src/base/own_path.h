/* The path of the running program's file. */
#ifndef BASE_OWN_PATH_H
#define BASE_OWN_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* The absolute path, without links: as the kernel says, or, where /proc is not mounted, as the
 * program was started; of a program of a release, that of its launcher. False, and "", when neither
 * is known or it does not fit. */
bool own_path(char *path, size_t size);

/* The same without the last '/' and what follows. */
bool own_folder(char *path, size_t size);

#endif
