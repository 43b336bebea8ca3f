/* What the library does at each store to memory without need.
 *
 * It asks of each store whether there are translations of what it writes, and takes locks of the
 * page for that: a tree, made and freed again, half of its time. One thread uses the library, so
 * that nothing needs a lock. The functions that take and give back the locks are exported here, and
 * the library finds these before its own.
 *
 * Assumes: nothing looks into what they return. That is so in Unicorn 2.0.x; others get their own,
 * which do nothing in 2.1.x.
 */
#ifndef UNICORN_UNICORN_STORE_WORKAROUND_H
#define UNICORN_UNICORN_STORE_WORKAROUND_H

#include <stdint.h>

/* handle: the library, as dlopen returned it, of that version (library_version.h). Before it is
 * used. */
void unicorn_store_workaround_load(void *handle, uint32_t version);

#endif
