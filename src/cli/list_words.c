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

static int print_encoding(const struct armpmu_encoding *at, char *text, size_t size)
{
    switch (at->face) {
    case ARMPMU_FACE_MCR:
        return snprintf(text, size, "p%u, %u, c%u, c%u, %u", at->space, at->op1, at->crn, at->crm,
                        at->op2);
    case ARMPMU_FACE_MCRR:
        return snprintf(text, size, "p%u, %u, c%u", at->space, at->op1, at->crm);
    case ARMPMU_FACE_LDC:
        return snprintf(text, size, "p%u, c%u", at->space, at->crn);
    case ARMPMU_FACE_MSR:
        return snprintf(text, size, "S%u_%u_C%u_C%u_%u", at->space, at->op1, at->crn, at->crm,
                        at->op2);
    case ARMPMU_FACE_EXT32:
    case ARMPMU_FACE_EXT64:
        return snprintf(text, size, "%s 0x%03x", armpmu_face_name(at->face), at->offset);
    }
    return 0;
}

void list_encoding(const struct armpmu_register *reg, char *text, size_t size)
{
    size_t used = 0;

    for (size_t i = 0; i < reg->n_routes && used < size; i++) {
        if (i > 0)
            used += (size_t)snprintf(text + used, size - used, "; ");
        if (used < size)
            used += (size_t)print_encoding(&reg->routes[i].first, text + used, size - used);
    }
}

const char *list_register_type(const struct armpmu_register *reg)
{
    if (reg->readable)
        return reg->writable ? "RW" : "RO";
    return "WO";
}

bool list_has_cycle_counter(const struct armpmu_core *core)
{
    return core->wiring[0].count.cell == ARMPMU_CELL_CYCLES;
}

const char *list_user_access(const struct armpmu_register *reg)
{
    switch (reg->permission) {
    case ARMPMU_PERMIT_PRIVILEGED:
    case ARMPMU_PERMIT_BUS:
    case ARMPMU_PERMIT_AMU_OFFSET:
        return "none";
    case ARMPMU_PERMIT_USEREN:
        return "as USEREN.EN says";
    case ARMPMU_PERMIT_AMU:
        return "reads as AMUSERENR.EN says";
    case ARMPMU_PERMIT_USER_READS:
    case ARMPMU_PERMIT_AMUSERENR:
        return "reads only";
    }
    return "";
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
