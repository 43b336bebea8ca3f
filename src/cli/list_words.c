/* How things of the catalogue are written, the same in every format. */
#include "cli/list.h"

#include <string.h>

int list_brief(const char *meaning)
{
    return (int)strcspn(meaning, ";:");
}

void list_formula(const struct armpmu_core *core, const struct armpmu_metric *metric, char *text,
                  size_t size)
{
    const char *const numerator = armpmu_event_by_number(core, metric->numerator)->name;
    const char *const denominator = armpmu_event_by_number(core, metric->denominator)->name;

    if (metric->factor == 1)
        snprintf(text, size, "%s / %s", numerator, denominator);
    else
        snprintf(text, size, "%u * %s / %s", metric->factor, numerator, denominator);
}

void list_encoding(const struct armpmu_register *reg, char *text, size_t size)
{
    snprintf(text, size, "p%u, %u, c%u, c%u, %u", reg->coproc, reg->opc1, reg->crn, reg->crm,
             reg->opc2);
}

const char *list_register_type(const struct armpmu_register *reg)
{
    if (reg->readable)
        return reg->writable ? "RW" : "RO";
    return "WO";
}

const char *list_user_access(const struct armpmu_register *reg)
{
    if (reg->user_by_enable)
        return "as USEREN.EN says";
    return reg->user_read_always ? "reads only" : "none";
}

void list_aliases(const struct armpmu_event *event, enum armpmu_naming naming, char *text,
                  size_t size)
{
    size_t used = 0;
    char name[80];

    text[0] = '\0';
    for (size_t i = 0; armpmu_event_alias(event, naming, i, name, sizeof name) > 0; i++) {
        const int n = snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", name);
        if (n < 0 || (size_t)n >= size - used)
            return;
        used += (size_t)n;
    }
}

void list_number(const struct armpmu_event *event, char *text, size_t size)
{
    if (event->first == event->last)
        snprintf(text, size, "0x%02x", event->first);
    else
        snprintf(text, size, "0x%02x-0x%02x", event->first, event->last);
}
