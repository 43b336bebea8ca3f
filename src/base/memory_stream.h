/* Text and bytes that are printed into memory: the end of what open_memstream() begins, and a
 * stream that also says so when a write of bytes has no memory. */
#ifndef BASE_MEMORY_STREAM_H
#define BASE_MEMORY_STREAM_H

#include <stdbool.h>
#include <stdio.h>

/* Opens a stream into memory; *bytes and *size are its content after memory_stream_close, which the
 * caller frees. Unlike that of open_memstream(), its ferror() is set after a fwrite() without
 * memory. Returns NULL without memory. */
FILE *memory_stream_open(char **bytes, size_t *size);

/* Closes the stream. False, with *text freed and NULL, where memory was short at any time: fclose
 * alone does not say so when an earlier write failed, and may then leave no text at all. */
bool memory_stream_close(FILE *stream, char **text);

#endif
