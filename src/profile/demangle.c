#include "profile/demangle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

#define SUFFIX "@plt"

static char *with_suffix(char *name)
{
    char *longer = NULL;

    if (name != NULL && asprintf(&longer, "%s" SUFFIX, name) < 0)
        longer = NULL;
    free(name);
    return longer;
}

char *demangle(const char *symbol)
{
    const char *const at = strstr(symbol, SUFFIX);

    if (symbol[0] != '_') /* _Z of C++ and of Rust before v0, _R of Rust */
        return NULL;
    if (at == NULL)
        return cplus_demangle(symbol, DMGL_PARAMS | DMGL_ANSI | DMGL_AUTO);
    char *const bare = strndup(symbol, (size_t)(at - symbol));
    char *const name = bare != NULL ? demangle(bare) : NULL;
    free(bare);
    return with_suffix(name);
}
