/* Finds the name of FreeRTOS's running task in a program with debug data: a variable pxCurrentTCB
 * points to a structure with a member pcTaskName. */
#ifndef PROFILE_TASK_NAMES_H
#define PROFILE_TASK_NAMES_H

#include <stdbool.h>
#include <stdint.h>

/* current: the address of the variable; offset, n_bytes: of the name in what it points to. False
 * where the file, or one of them, is not there. */
bool task_names_find(const char *path, uint64_t *current, uint64_t *offset, uint64_t *n_bytes);

#endif
