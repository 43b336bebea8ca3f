#ifndef TESTS_FAILING_MEMORY_H
#define TESTS_FAILING_MEMORY_H
/* Memory that runs out when a test says so. The linker sends the allocations of whatever links this
 * here (malloc, calloc, realloc, strdup), and free; those of libraries that are
 * loaded, cmocka's among them, go where they went. */
#include <stdbool.h>
#include <stdint.h>

#define MEMORY_FOR_ALL UINT32_MAX

extern struct failing_memory {
    unsigned left;    /* allocations that succeed before one fails; MEMORY_FOR_ALL for no failure */
    bool fails_on;    /* all behind that one fail as well */
    unsigned n_asked; /* allocations, failed ones included */
    int n_held;       /* those not yet freed */
} failing_memory;

#endif
