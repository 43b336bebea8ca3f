/* Streams into memory. open_memstream() is not used: when it has no memory for a part of a fwrite()
 * or of a long fprintf(), it drops that part and reports no error. */
#ifndef BASE_MEMORY_STREAM_H
#define BASE_MEMORY_STREAM_H

#include <stdbool.h>
#include <stdio.h>

/* Opens a stream into memory. After memory_stream_close, *bytes is its content, which the caller
 * frees, and *size the number of bytes, without the NUL that follows them. Returns NULL without
 * memory. */
FILE *memory_stream_open(char **bytes, size_t *size);

/* Closes the stream. Returns false, with *text freed and NULL, if memory was short at any time. */
bool memory_stream_close(FILE *stream, char **text);

#endif
