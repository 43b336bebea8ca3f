/* A Unicorn library of any version: $STUB_VERSION is its number, in hexadecimal, and all else
 * fails. */
#include <stdlib.h>

#include "unicorn/library.h"

#define EXPORTED __attribute__((visibility("default")))

static unsigned number(void)
{
    const char *const text = getenv("STUB_VERSION");

    return text != NULL ? (unsigned)strtoul(text, NULL, 16) : 0;
}

#define UNICORN(name, result, arguments)                                                           \
    EXPORTED result stub_##name(void) __asm__("uc_" #name);                                        \
    result stub_##name(void)                                                                       \
    {                                                                                              \
        return _Generic((result *)NULL, const char ** : "a stub", default : number());             \
    }
#include "unicorn/library.def"
#undef UNICORN
