#include "cli/run/guest_devices.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

/* Interrupt IDs of a generic interrupt controller, and numbers of a vectored one.
 * Source: Arm IHI 0048B, Generic Interrupt Controller, Interrupt IDs; Arm DDI 0181, PL190. */
#define PPI_FIRST 16u
#define SPI_FIRST 32u
#define ID_END    1020u
#define VIC_END   32u

#define WORD_LENGTH    3
#define INTERRUPTS_MAX 8

/* The kinds of interrupt, and the numbers that each has. */
struct irq_kind {
    const char *word, *controller;
    unsigned offset, first, last;
    bool takes_address, is_shared; /* shared: by all processors, unless each has one */
};

static const struct irq_kind kinds[] = {
    {"gic", "gic", 0, PPI_FIRST, ID_END - 1, true, true},
    {"spi", "gic", SPI_FIRST, 0, ID_END - 1 - SPI_FIRST, false, true},
    {"ppi", "gic", PPI_FIRST, 0, SPI_FIRST - 1 - PPI_FIRST, false, false},
    {"vic", "vic", 0, 0, VIC_END - 1, true, true},
};

#define N_IRQ_KINDS (sizeof kinds / sizeof kinds[0])

static enum armpmu_status unknown(const char *spec, struct armpmu_error *err)
{
    return fail(err, ARMPMU_BAD_CONFIG,
                "--irq '%.60s': write none, spi:N, ppi:N, gic:N, gic@ADDRESS:N, vic:N or "
                "vic@ADDRESS:N",
                spec);
}

/* "@0x1e001000" with nothing after it but ':'; *end is there. */
static bool read_address(const char *text, uint64_t *address, const char **end)
{
    char *after;
    const size_t prefix = strncmp(text, "@0x", 3) == 0 ? 3 : 1;
    const char *const digits = prefix == 3 ? "0123456789abcdefABCDEF" : "0123456789";
    const size_t length = strspn(text + prefix, digits);

    *address = strtoull(text + 1, &after, prefix == 3 ? 16 : 10);
    *end = text + prefix + length;
    return length > 0 && length <= 16 && after == *end;
}

struct interrupt {
    const struct irq_kind *kind;
    char where[32]; /* "gic@0x1e001000" */
    unsigned number;
};

/* One of the list; *rest is after it. */
static enum armpmu_status take(const char *spec, const char **rest, struct interrupt *out,
                               struct armpmu_error *err)
{
    const char *at = *rest;
    size_t i = 0;

    while (i < N_IRQ_KINDS && strncmp(at, kinds[i].word, WORD_LENGTH) != 0)
        i++;
    if (i == N_IRQ_KINDS)
        return unknown(spec, err);
    out->kind = &kinds[i];
    snprintf(out->where, sizeof out->where, "%s", kinds[i].controller);
    at += WORD_LENGTH;
    if (*at == '@' && kinds[i].takes_address) {
        uint64_t address;
        if (!read_address(at, &address, &at))
            return unknown(spec, err);
        snprintf(out->where, sizeof out->where, "%s@0x%" PRIx64, kinds[i].controller, address);
    }
    const size_t length = *at == ':' ? strspn(at + 1, "0123456789") : 0;
    if (length == 0 || (at[1 + length] != '\0' && at[1 + length] != ','))
        return unknown(spec, err);
    const unsigned long number = length > 6 ? ID_END : strtoul(at + 1, NULL, 10);
    if (number < kinds[i].first || number > kinds[i].last)
        return fail(err, ARMPMU_BAD_CONFIG, "--irq '%.60s': numbers of %s go from %u to %u", spec,
                    kinds[i].word, kinds[i].first, kinds[i].last);
    out->number = (unsigned)number + kinds[i].offset;
    *rest = at + 1 + length;
    return ARMPMU_OK;
}

/* Refuses interrupts that may not follow the first of the list. */
static enum armpmu_status check_other(const char *spec, const struct interrupt *first,
                                      const struct interrupt *other, unsigned n,
                                      struct armpmu_error *err)
{
    if (n == INTERRUPTS_MAX)
        return fail(err, ARMPMU_BAD_CONFIG, "--irq '%.60s': more than %d interrupts", spec,
                    INTERRUPTS_MAX);
    if (!first->kind->is_shared || !other->kind->is_shared)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--irq '%.60s': each processor has its own ppi:N; give it once", spec);
    if (strcmp(first->where, other->where) != 0)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--irq '%.60s': interrupts of two controllers; name those of one", spec);
    return ARMPMU_OK;
}

enum armpmu_status guest_irq_translate(void *member, const char *option, const char *spec,
                                       struct armpmu_error *err)
{
    char *const out = member;
    struct interrupt first = {0}, other;
    const char *rest = spec;

    (void)option; /* it is --irq in every message */
    snprintf(out, GUEST_IRQ_BYTES, "none");
    if (strcmp(spec, "none") == 0)
        return ARMPMU_OK;
    enum armpmu_status status = take(spec, &rest, &first, err);
    if (status != ARMPMU_OK)
        return status;
    snprintf(out, GUEST_IRQ_BYTES, "%s:%u", first.where, first.number);
    for (unsigned n = 1; *rest == ','; n++) {
        rest++;
        status = take(spec, &rest, &other, err);
        if (status == ARMPMU_OK)
            status = check_other(spec, &first, &other, n, err);
        if (status != ARMPMU_OK)
            return status;
        text_join(out, GUEST_IRQ_BYTES, "+", "%u", other.number);
    }
    return ARMPMU_OK;
}
