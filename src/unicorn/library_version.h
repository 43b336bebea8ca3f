/* Which versions of the Unicorn library armpmu works with, and where it has to know.
 *
 * 2.0 translates code of AArch64 for the level of the last return: el_switch.c; the test is
 * 'Exception levels of firmware'.
 *
 * 2.0 takes locks of pages at each store: unicorn_store_workaround.h, 'locks of the library'.
 *
 * 2.1 tells hooks of accesses where memory is, not the program's address: virtual_address.h,
 * moved_aliases.s and 'a frame at many addresses of AArch64'.
 *
 * 2.1.4 restores the state of IT blocks at hooks of accesses and leaves it there: T32 code after
 * such a block goes wrong. What is later than the last tested version is refused therefore.
 *
 * All translate A32 code as in an IT block that has ended: unicorn_it_workaround.h, 'inside IT
 * blocks'. */
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

/* Whether hooks of accesses get the address of memory after translation. */
bool library_version_shows_physical(uint32_t version);

#endif
