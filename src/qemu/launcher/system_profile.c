/* The part of the plugin's report that is a profile; guest_report.c says how it looks. Every number
 * is checked: what the functions of the job are given can be used as it is. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "qemu/launcher/system_report.h"

/* Reads a number and the blank or the end after it. False when there is none up to `most`. */
static bool next_number(const char **text, int base, uint64_t most, uint64_t *out)
{
    char *end;

    if (strchr("0123456789abcdef", **text) == NULL || **text == '\0')
        return false;
    *out = strtoull(*text, &end, base);
    if (end == *text || (*end != ' ' && *end != '\0') || *out > most)
        return false;
    *text = end + (*end == ' ');
    return true;
}

static bool next_word(const char **text, const char *word)
{
    const size_t n = strlen(word);

    if (strncmp(*text, word, n) != 0)
        return false;
    *text += n;
    return true;
}

/* CONTEXT task|space PROCESS THREAD NAME */
static bool read_task(struct system_report *report, const char *text)
{
    struct engine_guest_task task = {.is_space = false};
    uint64_t context, process, thread;

    if (!next_number(&text, 10, UINT32_MAX, &context) || context != report->n_tasks + 1)
        return false;
    task.is_space = next_word(&text, "space ");
    if ((!task.is_space && !next_word(&text, "task ")) ||
        !next_number(&text, 10, UINT32_MAX, &process) ||
        !next_number(&text, 10, UINT32_MAX, &thread))
        return false;
    task.context = (uint32_t)context;
    task.process = (uint32_t)process;
    task.thread = (uint32_t)thread;
    task.name = text;
    report->n_tasks++;
    report->status = report->profile->guest->on_task(report->profile->user, &task, &report->error);
    return true;
}

/* PROCESSOR NUMBER PARENT CONTEXT CALLER FUNCTION CALLS MERGED */
static bool read_path(struct system_report *report, const char *text)
{
    struct armpmu_profile_path path;
    uint64_t cpu, number, parent, context, is_merged;

    if (!next_number(&text, 10, ENGINE_GUEST_CPUS_MAX - 1, &cpu) ||
        !next_number(&text, 10, UINT32_MAX - 1, &number) || number != report->n_paths[cpu] ||
        !next_number(&text, 10, number, &parent) ||
        !next_number(&text, 10, report->n_tasks, &context) ||
        !next_number(&text, 16, UINT64_MAX, &path.caller) ||
        !next_number(&text, 16, UINT64_MAX, &path.function) ||
        !next_number(&text, 10, UINT64_MAX, &path.n_calls) ||
        !next_number(&text, 10, 1, &is_merged))
        return false;
    path.is_merged = is_merged != 0;
    path.parent = (uint32_t)parent;
    path.context = (uint32_t)context;
    report->n_paths[cpu]++;
    report->status = report->profile->guest->on_path(report->profile->user, (unsigned)cpu, &path,
                                                     &report->error);
    return true;
}

/* SIGNAL:COUNT ... */
static bool read_counts(const char *text, uint64_t *signals)
{
    while (*text != '\0') {
        char *colon;
        const unsigned long signal = strtoul(text, &colon, 10);
        if (colon == text || *colon != ':' || signal >= ARMPMU_SIGNAL_COUNT)
            return false;
        text = colon + 1;
        if (!next_number(&text, 10, UINT64_MAX, &signals[signal]))
            return false;
    }
    return true;
}

/* PROCESSOR PATH FILE ISA ADDRESS BYTES CODE SIGNAL:COUNT ... */
static bool read_row(struct system_report *report, const char *text)
{
    uint64_t signals[ARMPMU_SIGNAL_COUNT] = {0}, cpu, path, file, isa, n_bytes, bytes;
    struct armpmu_profile_row row = {.signals = signals};

    if (!next_number(&text, 10, ENGINE_GUEST_CPUS_MAX - 1, &cpu) ||
        !next_number(&text, 10, UINT32_MAX, &path) || path >= report->n_paths[cpu] ||
        !next_number(&text, 10, ENGINE_GUEST_PROGRAM, &file) ||
        !next_number(&text, 10, ARMPMU_A64, &isa) ||
        !next_number(&text, 16, UINT64_MAX, &row.address) ||
        !next_number(&text, 10, sizeof row.bytes, &n_bytes) ||
        !next_number(&text, 16, UINT32_MAX, &bytes) || !read_counts(text, signals))
        return false;
    row.path = (uint32_t)path;
    row.file = (uint32_t)file;
    row.isa = (enum armpmu_isa)isa;
    row.n_bytes = (uint8_t)n_bytes;
    for (unsigned i = 0; i < sizeof row.bytes; i++)
        row.bytes[i] = (uint8_t)(bytes >> (24 - 8 * i));
    report->status =
        report->profile->guest->on_row(report->profile->user, (unsigned)cpu, &row, &report->error);
    return true;
}

/* PROCESSOR PATH FROM TO COUNT MISPREDICTED */
static bool read_edge(struct system_report *report, const char *text)
{
    struct armpmu_profile_edge edge;
    uint64_t cpu, path;

    if (!next_number(&text, 10, ENGINE_GUEST_CPUS_MAX - 1, &cpu) ||
        !next_number(&text, 10, UINT32_MAX, &path) || path >= report->n_paths[cpu] ||
        !next_number(&text, 16, UINT64_MAX, &edge.from) ||
        !next_number(&text, 16, UINT64_MAX, &edge.to) ||
        !next_number(&text, 10, UINT64_MAX, &edge.n) ||
        !next_number(&text, 10, edge.n, &edge.n_mispredicted))
        return false;
    edge.path = (uint32_t)path;
    report->status = report->profile->guest->on_edge(report->profile->user, (unsigned)cpu, &edge,
                                                     &report->error);
    return true;
}

#define KINDS (ARMPMU_ACCESS_LOADS | ARMPMU_ACCESS_STORES | ARMPMU_ACCESS_ON_STACK)

/* PROCESSOR CONTEXT KIND ... DISPLACEMENT, five sums, five addresses */
static bool read_access(struct system_report *report, const char *text)
{
    struct armpmu_data_access of = {.n = 0};
    uint64_t cpu, context, kind, source, tlb, latency, bytes, base, displacement;
    uint64_t *const sums[] = {&of.n, &of.lookups, &of.refills, &of.tlb_refills, &of.cycles};
    uint64_t *const addresses[] = {&of.insn, &of.low, &of.high, &of.sample, &of.step};
    bool is_read =
        next_number(&text, 10, ENGINE_GUEST_CPUS_MAX - 1, &cpu) &&
        next_number(&text, 10, report->n_tasks, &context) && next_number(&text, 10, KINDS, &kind) &&
        next_number(&text, 10, ARMPMU_ACCESS_SOURCES - 1, &source) &&
        next_number(&text, 10, ARMPMU_ACCESS_TLBS - 1, &tlb) &&
        next_number(&text, 10, 64, &latency) && next_number(&text, 10, UINT16_MAX, &bytes) &&
        next_number(&text, 10, UINT8_MAX, &base);

    const bool is_negative = *text == '-';
    text += is_negative;
    is_read = is_read && next_number(&text, 10, UINT32_C(1) << 31, &displacement);
    for (size_t i = 0; i < sizeof sums / sizeof *sums && is_read; i++)
        is_read = next_number(&text, 10, UINT64_MAX, sums[i]);
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses && is_read; i++)
        is_read = next_number(&text, 16, UINT64_MAX, addresses[i]);
    if (!is_read || of.n == 0)
        return false;
    of.context = (uint32_t)context;
    of.kind = (uint8_t)kind;
    of.source = (uint8_t)source;
    of.tlb = (uint8_t)tlb;
    of.latency = (uint8_t)latency;
    of.bytes = (uint16_t)bytes;
    of.base = (uint8_t)base;
    of.displacement = (int32_t)(is_negative ? -displacement : displacement);
    report->status = report->profile->guest->on_access(report->profile->user, (unsigned)cpu, &of,
                                                       &report->error);
    return true;
}

static bool read_begin(struct system_report *report, const char *text)
{
    uint64_t n_signals;

    report->in_profile =
        next_number(&text, 10, ARMPMU_SIGNAL_COUNT, &n_signals) && n_signals == ARMPMU_SIGNAL_COUNT;
    return report->in_profile;
}

bool system_profile_line(struct system_report *report)
{
    static const struct {
        const char *word;
        bool (*read)(struct system_report *report, const char *text);
    } lines[] = {{"profile ", read_begin}, {"task ", read_task}, {"path ", read_path},
                 {"row ", read_row},       {"edge ", read_edge}, {"access ", read_access}};

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        const char *text = report->line;
        if (!next_word(&text, lines[i].word))
            continue;
        if (report->in_profile == (i == 0) || !lines[i].read(report, text))
            system_report_refuse(report);
        return true;
    }
    return false;
}
