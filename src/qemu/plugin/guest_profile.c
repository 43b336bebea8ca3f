/* Writes where the machine's events happened, for the arguments profile=insns or profile=paths,
 * edges=on and mem=on. The rows of the core models are part of the report, before its last record;
 * see guest_report.c.
 *
 * While there is a profile, counts are read as seldom as can be, since that takes long: all are of
 * one mode, and none is read when a processor sleeps. */
#include "qemu/plugin/guest_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *guest_profile_parse(const char *text, const char *edges, const char *mem)
{
    if (text == NULL)
        return NULL;
    if (strcmp(text, "insns") == 0)
        guest.profile = ARMPMU_PROFILE_INSNS;
    else if (strcmp(text, "paths") == 0)
        guest.profile = ARMPMU_PROFILE_PATHS;
    else
        return "profile: insns or paths";
    if (edges != NULL && strcmp(edges, "on") != 0)
        return "edges: the only value is on";
    if (mem != NULL && strcmp(mem, "on") != 0)
        return "mem: the only value is on";
    guest.keeps_accesses = mem != NULL;
    guest.profile |= edges != NULL ? ARMPMU_PROFILE_EDGES : 0u;
    return NULL;
}

void guest_profile_finish(void)
{
    for (unsigned i = 0; i < GUEST_CPUS_MAX && guest.profile != ARMPMU_PROFILE_OFF; i++) {
        if (guest.cpus[i] == NULL)
            continue;
        armpmu_sim_finish(guest.cpus[i]->sim, ARMPMU_END_EXIT);
        guest_run(guest.cpus[i]);
    }
}

struct writing {
    FILE *stream;
    unsigned cpu;
};

static bool write_row(void *user, const struct armpmu_profile_row *row)
{
    const struct writing *const to = user;

    fprintf(to->stream, "row %u %" PRIu32 " %u %u %" PRIx64 " %u %02x%02x%02x%02x", to->cpu,
            row->path, (unsigned)row->file, (unsigned)row->isa, row->address, row->n_bytes,
            row->bytes[0], row->bytes[1], row->bytes[2], row->bytes[3]);
    for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
        if (row->signals[signal] != 0)
            fprintf(to->stream, " %u:%" PRIu64, signal, row->signals[signal]);
    fputc('\n', to->stream);
    return true;
}

static void write_paths(const struct guest_cpu *cpu, FILE *stream)
{
    size_t n;
    const struct armpmu_profile_path *const paths = armpmu_sim_profile_paths(cpu->sim, &n);

    if (paths == NULL)
        guest_die("out of memory for the call paths of a processor");
    for (size_t i = 0; i < n; i++)
        fprintf(stream,
                "path %u %zu %" PRIu32 " %" PRIu32 " %" PRIx64 " %" PRIx64 " %" PRIu64 " %d\n",
                cpu->number, i, paths[i].parent, paths[i].context, paths[i].caller,
                paths[i].function, paths[i].n_calls, paths[i].is_merged);
}

static void write_edges(const struct guest_cpu *cpu, FILE *stream)
{
    size_t n;
    const struct armpmu_profile_edge *const edges = armpmu_sim_profile_edges(cpu->sim, &n);

    for (size_t i = 0; i < n; i++)
        fprintf(stream, "edge %u %" PRIu32 " %" PRIx64 " %" PRIx64 " %" PRIu64 " %" PRIu64 "\n",
                cpu->number, edges[i].path, edges[i].from, edges[i].to, edges[i].n,
                edges[i].n_mispredicted);
}

static void write_accesses(const struct guest_cpu *cpu, FILE *stream)
{
    const struct armpmu_data_access *accesses;
    struct armpmu_error error;
    size_t n;

    if (armpmu_sim_accesses(cpu->sim, &accesses, &n, &error) != ARMPMU_OK)
        guest_die(error.message);
    for (size_t i = 0; i < n; i++) {
        const struct armpmu_data_access *const of = &accesses[i];
        const uint64_t sums[] = {of->n, of->lookups, of->refills, of->tlb_refills, of->cycles};
        if (of->n == 0) /* all of it was amended */
            continue;
        fprintf(stream, "access %u %" PRIu32 " %u %u %u %u %u %u %" PRId32, cpu->number,
                of->context, of->kind, of->source, of->tlb, of->latency, of->bytes, of->base,
                of->displacement);
        for (size_t k = 0; k < sizeof sums / sizeof *sums; k++)
            fprintf(stream, " %" PRIu64, sums[k]);
        fprintf(stream, " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 "\n", of->insn,
                of->low, of->high, of->sample, of->step);
    }
}

static void write_processor(const struct guest_cpu *cpu, FILE *stream)
{
    struct writing to = {stream, cpu->number};
    struct armpmu_error error;

    write_paths(cpu, stream);
    if (armpmu_sim_profile(cpu->sim, write_row, &to, &error) != ARMPMU_OK)
        guest_die(error.message);
    write_edges(cpu, stream);
    write_accesses(cpu, stream);
}

void guest_profile_write(FILE *stream)
{
    if (guest.profile == ARMPMU_PROFILE_OFF)
        return;
    fprintf(stream, "profile %u\n", ARMPMU_SIGNAL_COUNT);
    guest_task_write(stream);
    for (unsigned i = 0; i < GUEST_CPUS_MAX; i++)
        if (guest.cpus[i] != NULL)
            write_processor(guest.cpus[i], stream);
}
