#include "cli/run/interval.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* "100", "0.5": milliseconds; "100000c": cycles; "50000i": instructions. */
enum armpmu_status interval_set(void *interval, const char *option, const char *word,
                                struct armpmu_error *err)
{
    struct interval_choice *const o = interval;
    size_t digits = strspn(word, "0123456789"), number = digits;
    if (word[digits] == '.')
        number = digits + 1 + strspn(word + digits + 1, "0123456789");
    const char *unit = word + number;

    if (*unit == '\0')
        o->unit = INTERVAL_MILLISECONDS;
    else if (strcmp(unit, "c") == 0)
        o->unit = INTERVAL_CYCLES;
    else if (strcmp(unit, "i") == 0)
        o->unit = INTERVAL_INSTRUCTIONS;
    else
        number = 0;
    bool whole = number == digits || o->unit == INTERVAL_MILLISECONDS;
    o->period = strtod(word, NULL);
    if (digits == 0 || number == 0 || !whole || number > 18 || o->period <= 0)
        return fail(
            err, ARMPMU_BAD_CONFIG,
            "%s '%.40s': a length above 0 like 10 (simulated milliseconds), 100000c (cycles) "
            "or 50000i (instructions)",
            option, word);
    return ARMPMU_OK;
}

uint64_t interval_of(const struct interval_choice *interval, const struct armpmu_machine *machine,
                     enum armpmu_signal *every)
{
    double period = interval->period;

    *every = interval->unit == INTERVAL_INSTRUCTIONS ? ARMPMU_SIGNAL_INST_RETIRED
                                                     : ARMPMU_SIGNAL_CPU_CYCLES;
    if (interval->unit == INTERVAL_NONE)
        return 0;
    if (interval->unit == INTERVAL_MILLISECONDS)
        period *= armpmu_machine_clock_mhz(machine) * 1e3;
    return period < 1 ? 1 : (uint64_t)period;
}
