/* The versions of the Unicorn library that armpmu works with; workarounds.h says what differs. */
#ifndef UNICORN_LIBRARY_VERSION_H
#define UNICORN_LIBRARY_VERSION_H

#include <stdbool.h>
#include <stdint.h>

/* A version as uc_version() returns it. */
#define LIBRARY_VERSION(major, minor, patch)                                                       \
    ((uint32_t)(major) << 24 | (uint32_t)(minor) << 16 | (uint32_t)(patch) << 8)

/* With which all tests of firmware pass. */
#define LIBRARY_VERSIONS_TESTED "2.0.1 and 2.1.1"

enum library_standing {
    LIBRARY_TESTED,
    LIBRARY_UNTESTED, /* between these: it runs, and a warning names it */
    LIBRARY_REFUSED,  /* another interface, or later */
};

enum { LIBRARY_VERSION_TEXT = 16 };

enum library_standing library_version_standing(uint32_t version);
void library_version_text(uint32_t version, char text[LIBRARY_VERSION_TEXT]);

/* Returns whether hooks of accesses get the address of memory after translation. */
bool library_version_shows_physical(uint32_t version);

#endif
