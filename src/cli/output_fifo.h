/* A report to a FIFO. */
#ifndef CLI_OUTPUT_FIFO_H
#define CLI_OUTPUT_FIFO_H

#include <stdbool.h>

bool output_is_fifo(const char *path);

/* Opens it to write, and waits for a reader, as long as no signal is to end armpmu. Returns -1
 * with errno, ENXIO if there is no reader. */
int output_open_fifo(const char *path, int flags);

#endif
