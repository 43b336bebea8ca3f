#include "base/memory_stream.h"

#include <stdlib.h>
#include <string.h>

#define LEAST_ROOM 4096

struct memory {
    char **bytes;
    size_t *size;
    size_t room;
};

static ssize_t append(void *cookie, const char *bytes, size_t n)
{
    struct memory *const m = cookie;

    if (m->room - *m->size <= n) {
        const size_t room = 2 * m->room + n + LEAST_ROOM;
        char *const grown = realloc(*m->bytes, room);
        if (grown == NULL)
            return 0;
        *m->bytes = grown;
        m->room = room;
    }
    memcpy(*m->bytes + *m->size, bytes, n);
    *m->size += n;
    (*m->bytes)[*m->size] = '\0';
    return (ssize_t)n;
}

/* For ftell() alone. */
static int tell(void *cookie, off64_t *position, int whence)
{
    const struct memory *const m = cookie;

    if (whence != SEEK_CUR || *position != 0)
        return -1;
    *position = (off64_t)*m->size;
    return 0;
}

static int end(void *cookie)
{
    free(cookie);
    return 0;
}

FILE *memory_stream_open(char **bytes, size_t *size)
{
    struct memory *const m = malloc(sizeof *m);
    char *const first = malloc(LEAST_ROOM);
    FILE *const stream =
        m != NULL && first != NULL
            ? fopencookie(m, "w",
                          (cookie_io_functions_t){.write = append, .seek = tell, .close = end})
            : NULL;

    if (stream == NULL) {
        free(m);
        free(first);
        return NULL;
    }
    *m = (struct memory){bytes, size, LEAST_ROOM};
    *bytes = first;
    **bytes = '\0';
    *size = 0;
    return stream;
}

bool memory_stream_close(FILE *stream, char **text)
{
    const bool is_whole = ferror(stream) == 0;

    if (fclose(stream) == 0 && is_whole && *text != NULL)
        return true;
    free(*text);
    *text = NULL;
    return false;
}
