#include "base/memory_stream.h"

#include <stdlib.h>

bool memory_stream_close(FILE *stream, char **text)
{
    const bool is_whole = ferror(stream) == 0;

    if (fclose(stream) == 0 && is_whole && *text != NULL)
        return true;
    free(*text);
    *text = NULL;
    return false;
}
