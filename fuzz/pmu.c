/* Fuzzes the device library: the bytes are a core, its configuration, and operations on a device.
 *
 * Any operation may come with any numbers, impossible encodings and pins included. Whatever comes,
 * the outcome is one that exists, a value is left intercepted unless the access was done, lines are
 * what flags and enables say, the output callback never repeats itself, reserved bits read as zero,
 * and a snapshot leads back to where it was taken. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tests/pmu/invariant.h"
#include "armpmu/pmu.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* --- Bytes to numbers ------------------------------------------------------------------------ */

struct stream {
    const uint8_t *next, *end;
};

static unsigned take(struct stream *s)
{
    return s->next < s->end ? *s->next++ : 0;
}

/* Values are seldom spread over all bits: a form, then what it needs. */
static uint64_t take_value(struct stream *s)
{
    const unsigned form = take(s);
    uint64_t value = 0;

    switch (form >> 5) {
    case 0:
        return form & 31;
    case 1:
        return UINT64_MAX - (form & 31);
    case 2:
        return UINT32_MAX - (form & 31);
    case 3:
        return UINT64_C(1) << 2 * (form & 31);
    case 4:
        return UINT64_C(1) << 31 | (form & 31);
    case 5:
        return take(s) * UINT64_C(0x01010101);
    case 6:
        return take(s) | (uint64_t)take(s) << 8 | (uint64_t)(form & 31) << 12;
    default:
        for (unsigned i = 0; i < 8; i++)
            value = value << 8 | take(s);
        return value;
    }
}

/* --- The device ------------------------------------------------------------------------------ */

struct subject {
    union armpmu_memory memory, snapshot, again;
    struct armpmu *pmu;
    const struct invariant *rules;
    uint32_t lines; /* as the callback told */
    bool has_snapshot;
};

static void require(bool holds, const char *rule, const char *about)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz-pmu: %s (%s)\n", rule, about);
    abort();
}

static void on_output(void *user, enum armpmu_output output, bool asserted)
{
    struct subject *const s = user;

    require((s->lines >> output & 1) != asserted, "a line is reported only when it changes",
            armpmu_output_name(output));
    s->lines ^= UINT32_C(1) << output;
}

static void on_overflow(void *user, const struct armpmu_counter *counter)
{
    const struct subject *const s = user;

    require(counter >= s->rules->core->counters &&
                counter < s->rules->core->counters + s->rules->core->n_counters,
            "an overflow is one of a counter of the core", s->rules->core->name);
}

static void on_exported(void *user, const struct armpmu_event *event, uint32_t n)
{
    (void)user;
    require(n > 0 && event->n_signals > 0, "what is exported happened", event->name);
}

static void on_event_bus(void *user, uint64_t bits)
{
    const struct subject *const s = user;

    require(bits != 0 && bits >> 47 == 0, "the event bus has 47 bits", s->rules->core->name);
}

static void take_config(struct stream *s, struct armpmu_config *config)
{
    struct armpmu_amu_config *const amu = &config->amu;
    const unsigned bits = take(s);

    config->flag_erratum = bits & 1;
    amu->v1p1 = bits & 2;
    amu->without_el2 = bits & 4;
    amu->without_fine_traps = bits & 8;
    amu->layout64 = bits & 16;
    amu->always_powered = bits & 32;
    amu->highest_el = bits >> 6;
    amu->external_control = (uint8_t)(take(s) & 3);
    amu->group1_counters = (uint8_t)(take(s) & 31);
    if (amu->v1p1)
        amu->group1_map = (uint16_t)take_value(s);
    amu->group1_offsets = (uint16_t)(take_value(s) & amu->group1_map);
    amu->group1_fixed = (uint16_t)take_value(s);
    for (unsigned n = 0; n < 4; n++)
        amu->group1_events[n * 5] = (uint16_t)take_value(s);
    amu->affinity = take_value(s);
    amu->part = (uint16_t)(take(s) << 4);
    amu->implementer_id = (uint32_t)take_value(s);
    config->pmuv3.version = (uint8_t)(take(s) & 15);
    config->pmuv3.counters = (uint8_t)(take(s) & 63);
    config->pmuv3.highest_el = amu->highest_el;
    config->pmuv3.without_el2 = amu->without_el2;
    config->pmuv3.without_secure_el2 = bits & 1;
    config->pmuv3.without_fine_traps = amu->without_fine_traps;
    config->pmuv3.always_powered = amu->always_powered;
    config->pmuv3.affinity = amu->affinity;
}

/* Looked up once for each core; inputs run one after the other. */
static const struct invariant *rules_of(size_t index)
{
    static struct invariant rules[64];
    size_t count;
    const struct armpmu_core *const *const cores = armpmu_cores(&count);

    require(count <= sizeof rules / sizeof rules[0], "there is room for each core", "all");
    index %= count;
    if (rules[index].core == NULL)
        invariant_start(&rules[index], cores[index]);
    return &rules[index];
}

/* --- Operations ------------------------------------------------------------------------------ */

static void check(struct subject *s)
{
    const uint64_t headroom = armpmu_headroom(s->pmu);
    uint32_t lines = 0;
    const char *const broken = invariant_lines(s->rules, s->pmu);

    require(broken == NULL, "a line is what flags and enables say", broken == NULL ? "" : broken);
    for (unsigned i = 0; i < ARMPMU_OUTPUT_COUNT; i++)
        lines |= (uint32_t)armpmu_output(s->pmu, (enum armpmu_output)i) << i;
    require(headroom < UINT64_C(1) << 63, "headroom is a number of posts", s->rules->core->name);
    require(lines == s->lines, "the callback tells what the line is", s->rules->core->name);
}

static struct armpmu_encoding take_register(const struct subject *s, struct stream *in)
{
    const struct armpmu_core *const core = s->rules->core;
    const struct armpmu_register *const reg = &core->registers[take(in) % core->n_registers];
    const unsigned which = take(in);

    return armpmu_encoding_of(&reg->encodings[which % reg->n_encodings], (which >> 2) % reg->count);
}

static struct armpmu_encoding take_encoding(struct stream *in)
{
    const struct armpmu_encoding at = {(enum armpmu_access)(take(in) % 6),
                                       (uint8_t)take(in),
                                       (uint8_t)take(in),
                                       (uint8_t)take(in),
                                       (uint8_t)take(in),
                                       (uint8_t)take(in),
                                       0};

    return at;
}

/* What an embedder asks about an outcome. */
static void explain(struct armpmu_encoding at, enum armpmu_outcome outcome)
{
    const unsigned class = armpmu_exception_class(outcome, at.access);
    const unsigned offset = armpmu_nested_offset(at);

    require(class == 0 || (outcome >= ARMPMU_TRAP_EL1 && outcome <= ARMPMU_TRAP_EL3),
            "traps have an exception class", "access");
    require(outcome != ARMPMU_REDIRECTED || (offset >= 0xa00 && offset <= 0xaf8),
            "a redirected access goes to an offset register's place", "access");
}

static void access(struct subject *s, struct stream *in, struct armpmu_encoding at, bool write)
{
    const uint64_t mark = UINT64_C(0xa5a5a5a5a5a5a5a5);
    const enum armpmu_outcome known_early = armpmu_try(s->pmu, at, write);
    uint64_t value = mark;
    const enum armpmu_outcome outcome =
        write ? armpmu_write(s->pmu, at, take_value(in)) : armpmu_read(s->pmu, at, &value);

    require(outcome <= ARMPMU_NOT_HERE, "an outcome is one of those that exist", "access");
    explain(at, outcome);
    require(outcome == known_early, "armpmu_try() predicts the outcome", "access");
    require(outcome == ARMPMU_DONE || value == mark, "a refused read leaves the value", "access");
    require(value == mark || at.access == ARMPMU_ACCESS_MSR || at.access == ARMPMU_ACCESS_MCRR ||
                value >> 32 == 0,
            "a access of 32 bits reads 32 bits", "access");
}

static void bus_access(struct subject *s, struct stream *in)
{
    const unsigned shape = take(in);
    const uint32_t offset = (uint32_t)(take(in) << 4 | (shape >> 4)) << (shape >> 7);
    const unsigned bytes = shape & 8 ? take(in) : 1U << (shape & 3);
    const uint64_t mark = UINT64_C(0xa5a5a5a5a5a5a5a5);
    uint64_t value = mark;
    const enum armpmu_outcome outcome = shape & 4
                                            ? armpmu_store(s->pmu, offset, bytes, take_value(in))
                                            : armpmu_load(s->pmu, offset, bytes, &value);

    require(outcome == ARMPMU_DONE || (outcome == ARMPMU_BUS_FAULT && value == mark),
            "the view answers, or leaves the value", "bus");
    require(value == mark || bytes == 8 || value >> 8 * bytes == 0,
            "no more is read than the access has lanes", "bus");
}

static void snapshot(struct subject *s)
{
    armpmu_snapshot(s->pmu, &s->snapshot);
    s->has_snapshot = true;
}

/* The state that a snapshot leads back to is the one it holds. */
static void restore(struct subject *s)
{
    const size_t bytes = armpmu_snapshot_bytes(s->pmu);

    if (!s->has_snapshot)
        return;
    require(bytes <= sizeof s->snapshot, "a snapshot fits the memory of a device", "restore");
    require(armpmu_restore(s->pmu, &s->snapshot, bytes, NULL) == ARMPMU_OK,
            "a device takes its own snapshot", "restore");
    armpmu_snapshot(s->pmu, &s->again);
    require(memcmp(&s->again, &s->snapshot, bytes) == 0, "the state is the snapshot's", "restore");
}

/* A snapshot with a changed byte, or of another length, is refused, and nothing changes. */
static void restore_spoilt(struct subject *s, struct stream *in)
{
    const size_t bytes = armpmu_snapshot_bytes(s->pmu);
    unsigned char *const spoilt = s->again.bytes;
    const size_t at = (take(in) << 8 | take(in)) % bytes;

    armpmu_snapshot(s->pmu, spoilt);
    spoilt[at] ^= (unsigned char)(1 + take(in) % 255);
    require(armpmu_restore(s->pmu, spoilt, bytes, NULL) != ARMPMU_OK,
            "a spoilt snapshot is refused", "restore");
    require(armpmu_restore(s->pmu, spoilt, bytes - 1, NULL) != ARMPMU_OK,
            "a short snapshot is refused", "restore");
}

static void post(struct subject *s, struct stream *in)
{
    const enum armpmu_signal signal = (enum armpmu_signal)(take(in) % ARMPMU_SIGNAL_COUNT);

    armpmu_post(s->pmu, signal, (uint32_t)take_value(in));
}

static void post_fault(struct subject *s, struct stream *in)
{
    const struct armpmu_fault fault = {
        .signal = (enum armpmu_signal)(take(in) % ARMPMU_SIGNAL_COUNT),
        .speculative = take(in) & 1,
        .side = (enum armpmu_side)(take(in) % 3),
        .way = (uint8_t)take(in),
        .address = (uint32_t)take_value(in),
    };

    armpmu_post_fault(s->pmu, &fault);
}

static void poke(struct subject *s, struct stream *in)
{
    const struct armpmu_core *const core = s->rules->core;
    const struct armpmu_register *const reg = &core->registers[take(in) % core->n_registers];
    const unsigned element = take(in) % reg->count;

    armpmu_poke(s->pmu, reg, element, take_value(in));
}

/* Posts what counters count: most signals mean nothing to a core. */
static void post_event(struct subject *s, struct stream *in)
{
    const struct armpmu_core *const core = s->rules->core;
    const struct armpmu_event *const event = &core->events[take(in) % core->n_events];
    const uint32_t n = (uint32_t)take_value(in);

    for (unsigned i = 0; i < event->n_signals; i++)
        armpmu_post(s->pmu, (enum armpmu_signal)event->signals[i], n);
    armpmu_post(s->pmu, ARMPMU_SIGNAL_CPU_CYCLES, n & 0xff);
}

static void operate(struct subject *s, struct stream *in)
{
    const unsigned what = take(in);

    switch (what & 15) {
    case 0:
    case 1:
        post(s, in);
        return; /* looking at registers would make counts exact: not after every post */
    case 2:
    case 3:
        post_event(s, in);
        return;
    case 4:
    case 5:
        access(s, in, take_register(s, in), what & 16);
        break;
    case 6:
        access(s, in, take_encoding(in), what & 16);
        break;
    case 7:
    case 8:
    case 9:
        poke(s, in);
        break;
    case 10:
        bus_access(s, in);
        break;
    case 11:
        armpmu_set_pin(s->pmu, (enum armpmu_pin)(take(in) % (ARMPMU_PIN_COUNT + 1)),
                       take_value(in));
        break;
    case 12:
        post_fault(s, in);
        break;
    case 13:
        snapshot(s);
        break;
    case 14:
        if (what & 16)
            restore_spoilt(s, in);
        else
            restore(s);
        break;
    default:
        if (what & 16)
            armpmu_reset(s->pmu, (enum armpmu_reset)(what >> 5 & 1));
        break;
    }
    check(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static struct subject subject;
    struct stream in = {bytes, bytes + length};
    struct armpmu_config config = {0};
    struct armpmu_error error = {""};
    const char *broken;

    subject.rules = rules_of(take(&in));
    subject.has_snapshot = false;
    subject.lines = 0;
    config.core = subject.rules->core->name;
    config.output = on_output;
    config.overflow = on_overflow;
    config.exported = on_exported;
    config.event_bus = on_event_bus;
    config.user = &subject;
    take_config(&in, &config);
    if (armpmu_create(&subject.memory, sizeof subject.memory, &config, &subject.pmu, &error) !=
        ARMPMU_OK) {
        require(subject.pmu == NULL && error.message[0] != '\0', "a refusal says why", "create");
        return 0;
    }
    while (in.next < in.end)
        operate(&subject, &in);
    check(&subject);
    broken = invariant_reserved(subject.rules, subject.pmu);
    require(broken == NULL, "reserved bits read as zero", broken == NULL ? "" : broken);
    broken = invariant_pairs(subject.rules, subject.pmu);
    require(broken == NULL, "set and clear registers read alike", broken == NULL ? "" : broken);
    return 0;
}
