#include "unicorn/library_version.h"

#include <stddef.h>
#include <stdio.h>

#define MAJOR 2u

/* Those that LIBRARY_VERSIONS_TESTED names, the latest last. */
static const uint32_t tested[] = {
    LIBRARY_VERSION(MAJOR, 0, 1),
    LIBRARY_VERSION(MAJOR, 1, 1),
};

#define N_TESTED (sizeof tested / sizeof tested[0])

enum library_standing library_version_standing(uint32_t version)
{
    for (size_t i = 0; i < N_TESTED; i++)
        if ((version & ~UINT32_C(0xff)) == tested[i])
            return LIBRARY_TESTED;
    return version >> 24 == MAJOR && version < tested[N_TESTED - 1] ? LIBRARY_UNTESTED
                                                                    : LIBRARY_REFUSED;
}

void library_version_text(uint32_t version, char text[LIBRARY_VERSION_TEXT])
{
    snprintf(text, LIBRARY_VERSION_TEXT, "%u.%u.%u", version >> 24, version >> 16 & 0xff,
             version >> 8 & 0xff);
}

bool library_version_shows_physical(uint32_t version)
{
    return version >= LIBRARY_VERSION(MAJOR, 1, 0);
}
