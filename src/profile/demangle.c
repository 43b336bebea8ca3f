#include "profile/demangle.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

#define SUFFIX "@plt"

/* A name of 200 bytes may expand to gigabytes: each part may name earlier ones twice. The library
 * cannot be asked to stop, so it is left by a jump; it holds no memory while it prints.
 */
#define NAME_BYTES_MAX 32768u

struct bounded_name {
    jmp_buf too_long;
    size_t n;
    char text[NAME_BYTES_MAX + 1];
};

static void add_text(const char *text, size_t n, void *user)
{
    struct bounded_name *const name = user;

    if (n > NAME_BYTES_MAX - name->n)
        longjmp(name->too_long, 1);
    memcpy(name->text + name->n, text, n);
    name->n += n;
}

static char *demangle_bounded(const char *symbol)
{
    const int options = DMGL_PARAMS | DMGL_ANSI | DMGL_AUTO;
    struct bounded_name *const name = malloc(sizeof *name);
    char *copy = NULL;

    if (name == NULL)
        return NULL;
    if (setjmp(name->too_long) == 0) {
        name->n = 0;
        bool done = rust_demangle_callback(symbol, options, add_text, name) != 0;
        if (!done) {
            name->n = 0;
            done = cplus_demangle_v3_callback(symbol, options, add_text, name) != 0;
        }
        if (done)
            copy = strndup(name->text, name->n);
    }
    free(name);
    return copy;
}

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
        return demangle_bounded(symbol);
    char *const bare = strndup(symbol, (size_t)(at - symbol));
    char *const name = bare != NULL ? demangle(bare) : NULL;
    free(bare);
    return with_suffix(name);
}
