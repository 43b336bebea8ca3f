/* What counts.c needs of a core: its monitor and pieces come from the core's conformance program.
 */
#ifndef COUNTS_H
#define COUNTS_H

#include <stdint.h>

#if defined(GENERATION)
#include "xscale.h"
#include "unit.h"

static inline uint32_t count_one(uint32_t event, void (*code)(void))
{
    write_pmnc(PMNC_P | PMNC_C);
    select_event(0, event);
    set_counter(0, 0);
    run_counted(control(PMNC_E), control(0), code);
    return counter(0);
}
#else
#include "conformance.h"
#include "registers.h"

static inline uint32_t count_one(uint32_t event, void (*code)(void))
{
    clear_all();
    return count_event(event, code);
}
#endif

/* ---- kernels.S ---- */

struct kernel {
    const char *name;
    void (*code)(void);
};

extern const struct kernel kernels[];
extern const uint32_t n_kernels;

/* Pages at their own addresses, all memory cacheable, caches on. */
void translate(void);

#endif
