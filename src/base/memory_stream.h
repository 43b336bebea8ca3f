/* Text that is printed into memory: the end of what open_memstream() begins. */
#ifndef BASE_MEMORY_STREAM_H
#define BASE_MEMORY_STREAM_H

#include <stdbool.h>
#include <stdio.h>

/* Closes the stream. False, with *text freed and NULL, where memory was short at any time: fclose
 * alone does not say so when an earlier write failed, and may then leave no text at all. */
bool memory_stream_close(FILE *stream, char **text);

#endif
