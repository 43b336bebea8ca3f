/* The memory-mapped view of the activity monitors: a frame of bytes, drawn anew for each access.
 *
 * Source: ARM DDI 0487, External activity monitors registers; the layouts are those of
 * FEAT_AMU_EXT32 and FEAT_AMU_EXT64. */
#include "amu.h"

#include <string.h>

static void word(uint8_t *frame, unsigned offset, uint64_t value)
{
    for (unsigned i = 0; i < 4; i++)
        frame[offset + i] = (uint8_t)(value >> (8 * i));
}

static void words(uint8_t *frame, unsigned offset, uint64_t value)
{
    word(frame, offset, value);
    word(frame, offset + 4, value >> 32);
}

static void draw_counters(const struct reference *r, uint8_t *frame)
{
    const bool wide = r->config.amu.layout64;

    for (unsigned n = 0; n < 16; n++) {
        if (amu_has_counter(r, 0, n)) {
            words(frame, 0x000 + 8 * n, r->amu.count[0][n]);
            word(frame, 0x400 + (wide ? 8 : 4) * n, r->amu.event[0][n]);
        }
        if (amu_has_counter(r, 1, n)) {
            words(frame, 0x100 + 8 * n, r->amu.count[1][n]);
            word(frame, wide ? 0x500 + 8 * n : 0x480 + 4 * n, r->amu.event[1][n]);
        }
    }
}

static void draw_controls(const struct reference *r, uint8_t *frame)
{
    const bool wide = r->config.amu.layout64;

    for (unsigned i = 0; i < 2; i++) {
        word(frame, 0xc00 + 0x20 * i, amu_enables(r, 0));
        word(frame, 0xc04 + 0x20 * i, amu_enables(r, 1));
    }
    if (wide)
        words(frame, 0xc10, amu_enables(r, 0) | amu_enables(r, 1) << 32);
    word(frame, 0xce0, amu_value(r, (struct place){AMCGCR, 0, 0}));
    word(frame, 0xe00, amu_value(r, (struct place){AMCFGR, 0, 0}));
    word(frame, wide ? 0xe10 : 0xe04, amu_value(r, (struct place){AMCR, 0, 0}));
    word(frame, 0xe08, r->config.amu.implementer_id);
}

static void draw_external_control(const struct reference *r, uint8_t *frame)
{
    if (r->config.amu.external_control == 1)
        word(frame, 0xe40, 0x80000000U | (uint32_t)r->amu.nonsecure_allowed << 1);
    if (r->config.amu.external_control == 2)
        word(frame, 0xe48, 0x80000000U | r->amu.root_allows << 4);
}

static void draw_identification(const struct reference *r, uint8_t *frame)
{
    static const uint8_t components[] = {0x0d, 0x90, 0x05, 0xb1};
    const uint32_t id = r->config.amu.implementer_id;
    const uint32_t designer = id != 0 ? id & 0xfff : 0x43b;
    const uint32_t part = id != 0 ? id >> 20 : r->config.amu.part;
    const uint32_t variant = id >> 16 & 0xf, revision = id >> 12 & 0xf;

    words(frame, 0xfa8, r->config.amu.affinity | 0x80000000U);
    word(frame, 0xfbc, r->config.amu.layout64 ? 0x47700a67 : 0x47700a66);
    word(frame, 0xfcc, 0x16);
    word(frame, 0xfd0, designer >> 8);
    word(frame, 0xfe0, part & 0xff);
    word(frame, 0xfe4, (designer & 0xf) << 4 | part >> 8);
    word(frame, 0xfe8, variant << 4 | 0x8 | (designer >> 4 & 7));
    word(frame, 0xfec, revision << 4);
    for (unsigned i = 0; i < 4; i++)
        word(frame, 0xff0 + 4 * i, components[i]);
}

enum { NONSECURE, SECURE, REALM, ROOT };

static bool root_allows(const struct reference *r, unsigned world)
{
    switch (r->amu.root_allows) {
    case 0:
        return world == ROOT;
    case 1:
        return world == ROOT || world == REALM;
    case 2:
        return world == ROOT || world == SECURE;
    case 3:
        return true;
    default: /* reserved */
        return world != NONSECURE;
    }
}

static bool may_see(const struct reference *r, unsigned world)
{
    switch (r->config.amu.external_control) {
    case 1:
        return world != NONSECURE || r->amu.nonsecure_allowed;
    case 2:
        return root_allows(r, world);
    default:
        return true;
    }
}

/* Who may read and write the register that says who may see. */
static bool may_control(const struct reference *r, unsigned world)
{
    return world == ROOT || (r->config.amu.external_control == 1 && world == SECURE);
}

static bool is_bus_access(uint32_t offset, unsigned bytes)
{
    return (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) && offset % bytes == 0 &&
           offset < 4096;
}

static bool is_off(const struct reference *r)
{
    return r->pin[ARMPMU_PIN_CORE_POWERED_OFF] && !r->config.amu.always_powered;
}

enum armpmu_outcome amu_load(struct reference *r, uint32_t offset, unsigned bytes, uint64_t *value)
{
    const unsigned world = (unsigned)r->pin[ARMPMU_PIN_BUS_WORLD];
    uint8_t frame[4096] = {0};

    if (!is_bus_access(offset, bytes))
        return ARMPMU_BUS_FAULT;
    if (!is_off(r) && may_see(r, world)) {
        draw_counters(r, frame);
        draw_controls(r, frame);
        draw_identification(r, frame);
    }
    if (!is_off(r) && may_control(r, world))
        draw_external_control(r, frame);
    *value = 0;
    for (unsigned i = 0; i < bytes; i++)
        *value |= (uint64_t)frame[offset + i] << (8 * i);
    return ARMPMU_DONE;
}

enum armpmu_outcome amu_store(struct reference *r, uint32_t offset, unsigned bytes, uint64_t value)
{
    const unsigned world = (unsigned)r->pin[ARMPMU_PIN_BUS_WORLD];
    const unsigned control = r->config.amu.external_control;
    const unsigned low = control == 1 ? 0xe40 : 0xe48; /* the byte with the field */

    if (!is_bus_access(offset, bytes))
        return ARMPMU_BUS_FAULT;
    if (is_off(r) || control == 0 || offset > low || low >= offset + bytes ||
        !may_control(r, world))
        return ARMPMU_DONE;
    value >>= 8 * (low - offset);
    if (control == 1)
        r->amu.nonsecure_allowed = value >> 1 & 1;
    else
        r->amu.root_allows = value >> 4 & 7;
    return ARMPMU_DONE;
}

/* The memory-mapped registers, and how wide they are, for looking at them by name. */
static const struct {
    const char *name;
    unsigned offset, bytes;
} mapped[] = {
    {"AMIIDR", 0xe08, 4},    {"AMSCR", 0xe40, 8},     {"AMROOTCR", 0xe48, 8},
    {"AMDEVAFF0", 0xfa8, 4}, {"AMDEVAFF1", 0xfac, 4}, {"AMDEVAFF", 0xfa8, 8},
    {"AMDEVARCH", 0xfbc, 4}, {"AMDEVTYPE", 0xfcc, 4}, {"AMPIDR4", 0xfd0, 4},
    {"AMPIDR0", 0xfe0, 4},   {"AMPIDR1", 0xfe4, 4},   {"AMPIDR2", 0xfe8, 4},
    {"AMPIDR3", 0xfec, 4},   {"AMCIDR0", 0xff0, 4},   {"AMCIDR1", 0xff4, 4},
    {"AMCIDR2", 0xff8, 4},   {"AMCIDR3", 0xffc, 4},
};

uint64_t amu_view_peek(const struct reference *r, const char *name)
{
    uint8_t frame[4096] = {0};
    uint64_t value = 0;

    if (strncmp(name, "AMCNTEN", 7) == 0)
        return r->config.amu.layout64 ? amu_enables(r, 0) | amu_enables(r, 1) << 32 : 0;
    if (strncmp(name, "AMDEVAFF", 8) == 0 && r->config.amu.layout64 == (name[8] != '\0'))
        return 0;
    draw_controls(r, frame);
    draw_external_control(r, frame);
    draw_identification(r, frame);
    for (size_t i = 0; i < sizeof mapped / sizeof mapped[0]; i++)
        for (unsigned b = 0; strcmp(mapped[i].name, name) == 0 && b < mapped[i].bytes; b++)
            value |= (uint64_t)frame[mapped[i].offset + b] << (8 * b);
    return value;
}
