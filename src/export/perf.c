/* perf.data, as perf of Linux 5.12 and later reads it (attributes of version 5, which older ones
 * read too): for each process and thread a name, for each process the maps of all objects, and one
 * sample for each thread, call path, instruction and event, whose period is the count.
 *
 *   header | ids | attributes | records | table of features | features
 *
 * A profile of record --mem has two events more, for perf mem report: accesses, a sample for each
 * instruction and outcome with the number of accesses as its period, and refills, with theirs. Each
 * has one of their addresses, and as weight the mean latency of its loads. Accesses to a line that
 * another core had are a sample each, since perf c2c counts samples, unless there are very many.
 * Each thread has a processor of its own.
 *
 * Numbers are those of the host: perf swaps them where it must. Samples have no time of their own;
 * theirs rise by one, so that none is sorted away. */
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory_stream.h"
#include "armpmu/catalog.h"
#include "export/export.h"
#include "export/frames.h"

/* Perf 6.1 refuses attributes that are longer than it knows. */
#define ATTR_BYTES 112

/* Sections of the file that describe the machine, by perf's numbers. */
enum feature {
    FEATURE_HOSTNAME = 3,
    FEATURE_OSRELEASE,
    FEATURE_VERSION,
    FEATURE_ARCH,
    FEATURE_NRCPUS,
    FEATURE_CPUDESC,
    FEATURE_CMDLINE = 11,
    FEATURE_EVENT_DESC,
    FEATURE_NUMA_TOPOLOGY = 14,
    FEATURE_END
};

#define FEATURES                                                                                   \
    (1u << FEATURE_HOSTNAME | 1u << FEATURE_OSRELEASE | 1u << FEATURE_VERSION |                    \
     1u << FEATURE_ARCH | 1u << FEATURE_NRCPUS | 1u << FEATURE_CPUDESC | 1u << FEATURE_CMDLINE |   \
     1u << FEATURE_EVENT_DESC | 1u << FEATURE_NUMA_TOPOLOGY)

struct section {
    uint64_t offset, size;
};

struct file_header {
    char magic[8];
    uint64_t size, attr_size;
    struct section attrs, data, event_types;
    uint64_t features[4];
};

/* The fields of a sample, in this order. */
#define SAMPLE_TYPE                                                                                \
    (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |                \
     PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN)

#define ACCESS_TYPE                                                                                \
    (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |                \
     PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_WEIGHT |                \
     PERF_SAMPLE_DATA_SRC)

/* Events of accesses, which follow those of the job. */
static const char *const access_events[] = {"MEM_ACCESS", "MEM_REFILL"};

#define ACCESS_EVENTS (sizeof access_events / sizeof *access_events)

static size_t all_events(const struct export_job *job)
{
    return job->n_events + (job->profile->n_accesses != 0 ? ACCESS_EVENTS : 0);
}

struct perf_writer {
    const struct export_job *job;
    FILE *out;      /* in memory: one part of the file */
    uint64_t time;  /* of the last sample */
    uint32_t *pids; /* of each thread */
    uint64_t chain[FRAMES_MOST];
};

/* ---- numbers and strings ---- */

static void put(FILE *out, const void *bytes, size_t n)
{
    fwrite(bytes, 1, n, out);
}

static void put32(FILE *out, uint32_t n)
{
    put(out, &n, sizeof n);
}

static void put64(FILE *out, uint64_t n)
{
    put(out, &n, sizeof n);
}

/* A string and zeros up to the next multiple of some bytes, at least one zero. */
static size_t padded(const char *text, size_t multiple)
{
    return (strlen(text) / multiple + 1) * multiple;
}

static void put_padded(FILE *out, const char *text, size_t multiple)
{
    put(out, text, strlen(text));
    for (size_t n = strlen(text); n < padded(text, multiple); n++)
        fputc('\0', out);
}

/* As features have it. */
static void put_string(FILE *out, const char *text)
{
    put32(out, (uint32_t)padded(text, 64));
    put_padded(out, text, 64);
}

static void put_header(FILE *out, uint32_t type, uint16_t misc, size_t size)
{
    const struct perf_event_header header = {type, misc, (uint16_t)size};

    put(out, &header, sizeof header);
}

/* ---- threads and maps ---- */

/* Perf's numbers of threads are unique; that of a process is its first thread's. */
static uint32_t tid(size_t thread)
{
    return (uint32_t)thread + 1;
}

static uint32_t pid_of(const struct profile *p, size_t thread)
{
    size_t first = 0;

    while (p->threads[first].process != p->threads[thread].process)
        first++;
    return tid(first);
}

/* The fields after each other record, which samples have, too: thread, time and event. */
#define TRAILER_BYTES 24u

static void put_trailer(const struct perf_writer *w, size_t thread)
{
    put32(w->out, w->pids[thread]);
    put32(w->out, tid(thread));
    put64(w->out, 0);
    put64(w->out, 1);
}

static const char *thread_name(const struct profile *p, size_t thread)
{
    return p->threads[thread].name != NULL ? p->threads[thread].name : "thread";
}

/* A record's length has 16 bits: what is longer is cut. */
static void cut(char *copy, size_t size, const char *text)
{
    snprintf(copy, size, "%s", text);
}

static void put_thread(const struct perf_writer *w, size_t thread)
{
    char name[256];

    cut(name, sizeof name, thread_name(w->job->profile, thread));
    put_header(w->out, PERF_RECORD_COMM, 0,
               sizeof(struct perf_event_header) + 8 + padded(name, 8) + TRAILER_BYTES);
    put32(w->out, w->pids[thread]);
    put32(w->out, tid(thread));
    put_padded(w->out, name, 8);
    put_trailer(w, thread);
}

/* The bytes of a build id. Returns how many; 0 where there is none, or none that perf takes. */
static uint8_t read_build_id(const char *hex, uint8_t bytes[20])
{
    const size_t n = hex != NULL ? strlen(hex) / 2 : 0;
    unsigned byte = 0;

    memset(bytes, 0, 20);
    for (size_t i = 0; n <= 20 && i < n; i++) {
        if (sscanf(hex + 2 * i, "%2x", &byte) != 1)
            return 0;
        bytes[i] = (uint8_t)byte;
    }
    return n <= 20 ? (uint8_t)n : 0;
}

static void put_map(const struct perf_writer *w, size_t thread, const struct profile_object *object,
                    const struct export_range *range)
{
    const bool is_file = object->path[0] == '/';
    char path[4000];
    uint8_t id[24] = {0};

    id[0] = read_build_id(object->build_id, id + 4);
    cut(path, sizeof path, is_file ? object->path : "//anon");
    put_header(w->out, PERF_RECORD_MMAP2,
               PERF_RECORD_MISC_USER | (id[0] > 0 ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0),
               sizeof(struct perf_event_header) + 64 + padded(path, 8) + TRAILER_BYTES);
    put32(w->out, w->pids[thread]);
    put32(w->out, tid(thread));
    put64(w->out, range->start);
    put64(w->out, range->end - range->start);
    put64(w->out, is_file ? range->start - object->offset : 0);
    put(w->out, id, sizeof id); /* else device and inode */
    put32(w->out, 5);           /* PROT_READ | PROT_EXEC */
    put32(w->out, 2);           /* MAP_PRIVATE */
    put_padded(w->out, path, 8);
    put_trailer(w, thread);
}

static bool put_maps(const struct perf_writer *w)
{
    const struct profile *const p = w->job->profile;
    struct export_range *const ranges = export_object_ranges(p);

    if (ranges == NULL)
        return false;
    for (size_t t = 0; t < p->n_threads; t++) {
        put_thread(w, t);
        for (size_t i = 0; w->pids[t] == tid(t) && i < p->n_objects; i++)
            if (ranges[i].end != 0)
                put_map(w, t, &p->objects[i], &ranges[i]);
    }
    free(ranges);
    return true;
}

/* ---- samples ---- */

/* The instruction and its callers, innermost first; of a deep stack, only the innermost ones. */
static size_t read_chain(struct perf_writer *w, const struct profile_row *row)
{
    const struct profile *const p = w->job->profile;
    size_t n = 0;

    w->chain[n++] = PERF_CONTEXT_USER;
    w->chain[n++] = p->insns[row->insn].address;
    for (uint32_t path = row->path; path != PROFILE_ROOT && n < FRAMES_MOST;
         path = p->paths[path].parent)
        if (p->paths[path].caller != PROFILE_NONE)
            w->chain[n++] = p->insns[p->paths[path].caller].address;
    return n;
}

static void put_sample(struct perf_writer *w, const struct profile_row *row, size_t n_chain,
                       uint32_t event, uint64_t count)
{
    put_header(w->out, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER,
               sizeof(struct perf_event_header) + 48 + 8 * n_chain);
    put64(w->out, event + 1); /* its id */
    put64(w->out, w->job->profile->insns[row->insn].address);
    put32(w->out, w->pids[row->thread]);
    put32(w->out, tid(row->thread));
    put64(w->out, ++w->time);
    put64(w->out, count);
    put64(w->out, n_chain);
    put(w->out, w->chain, 8 * n_chain);
}

static void put_samples(struct perf_writer *w)
{
    const struct profile *const p = w->job->profile;

    for (size_t i = 0; i < p->n_rows; i++) {
        const struct profile_row *const row = &p->rows[i];
        const size_t n_chain = read_chain(w, row);
        for (uint32_t k = 0; k < row->n_counts; k++) {
            const struct profile_count *const count = &p->counts[row->first_count + k];
            if (w->job->columns[count->event] != PROFILE_NONE)
                put_sample(w, row, n_chain, w->job->columns[count->event], count->n);
        }
    }
}

/* ---- samples of accesses ---- */

/* A store past level 1 missed that. Another core's line comes, as perf c2c has it on Arm, through
 * the shared cache. */
static const uint16_t levels[ARMPMU_ACCESS_SOURCES] = {
    [ARMPMU_FROM_L1] = PERF_MEM_LVL_HIT | PERF_MEM_LVL_L1,
    [ARMPMU_FROM_TCM] = PERF_MEM_LVL_HIT | PERF_MEM_LVL_L1,
    [ARMPMU_FROM_MINI] = PERF_MEM_LVL_HIT | PERF_MEM_LVL_L1,
    [ARMPMU_FROM_FILL] = PERF_MEM_LVL_HIT | PERF_MEM_LVL_LFB,
    [ARMPMU_FROM_PAST] = PERF_MEM_LVL_MISS | PERF_MEM_LVL_L1,
    [ARMPMU_FROM_THROUGH] = PERF_MEM_LVL_HIT | PERF_MEM_LVL_LOC_RAM,
    [ARMPMU_FROM_L2] = PERF_MEM_LVL_HIT | PERF_MEM_LVL_L2,
    [ARMPMU_FROM_L3] = PERF_MEM_LVL_HIT | PERF_MEM_LVL_L3,
    [ARMPMU_FROM_RAM] = PERF_MEM_LVL_HIT | PERF_MEM_LVL_LOC_RAM,
    [ARMPMU_FROM_CORE] = PERF_MEM_LVL_HIT | PERF_MEM_LVL_L3,
    [ARMPMU_FROM_UNCACHED] = PERF_MEM_LVL_HIT | PERF_MEM_LVL_UNC,
    [ARMPMU_FROM_DEVICE] = PERF_MEM_LVL_HIT | PERF_MEM_LVL_IO,
};

static const uint16_t tlbs[ARMPMU_ACCESS_TLBS] = {
    [ARMPMU_TLB_HIT] = PERF_MEM_TLB_HIT | PERF_MEM_TLB_L1,
    [ARMPMU_TLB_L2] = PERF_MEM_TLB_HIT | PERF_MEM_TLB_L2,
    [ARMPMU_TLB_WALK] = PERF_MEM_TLB_MISS | PERF_MEM_TLB_WK,
    [ARMPMU_TLB_NONE] = PERF_MEM_TLB_NA,
};

/* is_taken: of a sample for perf c2c. */
static uint64_t data_source(const struct armpmu_data_access *of, bool is_taken)
{
    const union perf_mem_data_src source = {
        .mem_op = (of->kind & ARMPMU_ACCESS_LOADS ? PERF_MEM_OP_LOAD : 0) |
                  (of->kind & ARMPMU_ACCESS_STORES ? PERF_MEM_OP_STORE : 0),
        .mem_lvl = levels[of->source],
        .mem_snoop = is_taken ? PERF_MEM_SNOOP_HITM : PERF_MEM_SNOOP_NA,
        .mem_snoopx = is_taken ? PERF_MEM_SNOOPX_PEER : 0, /* by which it sorts on Arm */
        .mem_lock = PERF_MEM_LOCK_NA,
        .mem_dtlb = tlbs[of->tlb],
    };

    return source.val;
}

static void put_access(struct perf_writer *w, const struct profile_access *access, size_t event,
                       uint64_t count)
{
    const struct profile *const p = w->job->profile;
    const bool is_known = access->insn != PROFILE_NONE;

    if (count == 0)
        return;
    put_header(w->out, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER,
               sizeof(struct perf_event_header) + 72);
    put64(w->out, w->job->n_events + event + 1); /* its id */
    put64(w->out, is_known ? p->insns[access->insn].address : 0);
    put32(w->out, w->pids[access->thread]);
    put32(w->out, tid(access->thread));
    put64(w->out, ++w->time);
    put64(w->out, access->of.sample);
    put32(w->out, access->thread); /* its processor */
    put32(w->out, 0);
    put64(w->out, count);
    put64(w->out, access->of.cycles / access->of.n);
    put64(w->out, data_source(&access->of, event == 0 && access->of.source == ARMPMU_FROM_CORE));
}

#define TAKEN_EACH_MOST (UINT64_C(4) << 20) /* samples, of 80 bytes */

/* Returns whether accesses to lines that other cores had are a sample each. */
static bool are_each(const struct profile *p)
{
    uint64_t n = 0;

    for (size_t i = 0; i < p->n_accesses && n <= TAKEN_EACH_MOST; i++)
        n += p->accesses[i].of.source == ARMPMU_FROM_CORE ? p->accesses[i].of.n : 0;
    return n <= TAKEN_EACH_MOST;
}

static void put_accesses(struct perf_writer *w)
{
    const struct profile *const p = w->job->profile;
    const bool each = are_each(p);

    for (size_t i = 0; i < p->n_accesses; i++) {
        const struct armpmu_data_access *const of = &p->accesses[i].of;
        const uint64_t at_once = each && of->source == ARMPMU_FROM_CORE ? 1 : of->n;
        for (uint64_t n = 0; n < of->n; n += at_once)
            put_access(w, &p->accesses[i], 0, at_once);
        if (of->n != 0)
            put_access(w, &p->accesses[i], 1, of->refills);
    }
}

/* ---- attributes and features ---- */

static void put_attr(FILE *out, const struct export_job *job, size_t event)
{
    const bool is_access = event >= job->n_events;
    struct perf_event_attr attr = {
        .type = PERF_TYPE_RAW,
        .size = ATTR_BYTES,
        .config = is_access ? event - job->n_events : export_event(job, event)->number,
        .sample_period = 1,
        .sample_type = is_access ? ACCESS_TYPE : SAMPLE_TYPE,
        .exclude_kernel = 1,
        .mmap = 1,
        .comm = 1,
        .mmap2 = 1,
        .sample_id_all = 1,
    };

    put(out, &attr, ATTR_BYTES);
}

/* "armv7_cortex_a8/CPU_CYCLES/", as perf on such a core names it. */
static void put_event_name(FILE *out, const struct export_job *job, size_t event)
{
    const struct profile_setup *const setup = &job->profile->setup;
    const struct armpmu_core *core = setup->core != NULL ? armpmu_core_find(setup->core) : NULL;
    char name[256];

    snprintf(name, sizeof name, "%s/%s/", core != NULL ? core->pmu : "armpmu",
             event < job->n_events ? export_event(job, event)->name
                                   : access_events[event - job->n_events]);
    put_string(out, name);
}

static void put_event_desc(FILE *out, const struct export_job *job)
{
    put32(out, (uint32_t)all_events(job));
    put32(out, ATTR_BYTES);
    for (size_t i = 0; i < all_events(job); i++) {
        put_attr(out, job, i);
        put32(out, 1);
        put_event_name(out, job, i);
        put64(out, i + 1);
    }
}

static const char *architecture(const struct profile *p)
{
    for (size_t i = 0; i < p->n_insns; i++)
        if (p->insns[i].isa == ARMPMU_A64 && p->insns[i].n_bytes > 0)
            return "aarch64";
    return "armv7l";
}

static uint32_t processors(const struct profile *p)
{
    return p->n_threads != 0 ? (uint32_t)p->n_threads : 1;
}

/* All processors are in one node, whose memory does not matter. */
static void put_node(FILE *out, uint32_t n)
{
    char list[32];

    snprintf(list, sizeof list, n > 1 ? "0-%" PRIu32 : "0", n - 1);
    put32(out, 1);
    put32(out, 0); /* its number */
    put64(out, 0); /* kilobytes, and those that are free */
    put64(out, 0);
    put_string(out, list);
}

static const char *known(const char *text)
{
    return text != NULL ? text : "not known";
}

static void put_feature(FILE *out, const struct export_job *job, enum feature feature)
{
    const struct profile_setup *const setup = &job->profile->setup;

    switch (feature) {
    case FEATURE_HOSTNAME:
        put_string(out, "armpmu");
        break;
    case FEATURE_OSRELEASE:
        put_string(out, known(setup->engine));
        break;
    case FEATURE_VERSION:
        put_string(out, ARMPMU_VERSION);
        break;
    case FEATURE_ARCH:
        put_string(out, architecture(job->profile));
        break;
    case FEATURE_NRCPUS:
        put32(out, processors(job->profile)); /* that there are, and that are on */
        put32(out, processors(job->profile));
        break;
    case FEATURE_CPUDESC:
        put_string(out, known(setup->machine));
        break;
    case FEATURE_CMDLINE:
        put32(out, 1);
        put_string(out, known(setup->command));
        break;
    case FEATURE_EVENT_DESC:
        put_event_desc(out, job);
        break;
    case FEATURE_NUMA_TOPOLOGY:
        put_node(out, processors(job->profile));
        break;
    case FEATURE_END:
        break;
    }
}

/* ---- the file ---- */

/* The text is in memory: where each part begins is known when the whole is there. */
struct perf_part {
    char *bytes;
    size_t size;
};

static void put_attrs(FILE *out, const struct export_job *job)
{
    for (size_t i = 0; i < all_events(job); i++) {
        const struct section id = {sizeof(struct file_header) + 8 * i, 8};
        put_attr(out, job, i);
        put(out, &id, sizeof id);
    }
}

static void put_file(FILE *out, const struct export_job *job, const struct perf_part *records,
                     const struct perf_part features[FEATURE_END])
{
    const size_t ids_bytes = 8 * all_events(job);
    struct file_header header = {"PERFILE2", sizeof header, ATTR_BYTES + sizeof(struct section),
                                 .features = {FEATURES}};

    header.attrs = (struct section){sizeof header + ids_bytes, all_events(job) * header.attr_size};
    header.data = (struct section){header.attrs.offset + header.attrs.size, records->size};
    put(out, &header, sizeof header);
    for (size_t i = 0; i < all_events(job); i++)
        put64(out, i + 1);
    put_attrs(out, job);
    put(out, records->bytes, records->size);

    struct section at = {header.data.offset + header.data.size, 0};
    for (unsigned f = 0; f < FEATURE_END; f++)
        at.offset += features[f].size > 0 ? sizeof at : 0;
    for (unsigned f = 0; f < FEATURE_END; f++) {
        at.size = features[f].size;
        if (at.size > 0)
            put(out, &at, sizeof at);
        at.offset += at.size;
    }
    for (unsigned f = 0; f < FEATURE_END; f++)
        put(out, features[f].bytes, features[f].size);
}

static bool write_features(const struct export_job *job, struct perf_part features[FEATURE_END])
{
    for (unsigned f = 0; f < FEATURE_END; f++) {
        FILE *const part = memory_stream_open(&features[f].bytes, &features[f].size);
        if (part == NULL)
            return false;
        put_feature(part, job, (enum feature)f);
        if (!memory_stream_close(part, &features[f].bytes))
            return false;
    }
    return true;
}

static bool write_records(const struct export_job *job, struct perf_part *records)
{
    const struct profile *const p = job->profile;
    struct perf_writer w = {.job = job};

    w.pids = calloc(p->n_threads + 1, sizeof *w.pids);
    w.out = w.pids != NULL ? memory_stream_open(&records->bytes, &records->size) : NULL;
    if (w.out == NULL) {
        free(w.pids);
        return false;
    }
    for (size_t i = 0; i < p->n_threads; i++)
        w.pids[i] = pid_of(p, i);
    const bool has_maps = put_maps(&w);
    put_samples(&w);
    put_accesses(&w);
    const bool is_closed = memory_stream_close(w.out, &records->bytes);
    free(w.pids);
    return has_maps && is_closed;
}

enum armpmu_status export_perf(const struct export_job *job, FILE *out, struct armpmu_error *err)
{
    struct perf_part records = {0}, features[FEATURE_END] = {{0}};
    const bool done = write_records(job, &records) && write_features(job, features);

    if (done)
        put_file(out, job, &records, features);
    free(records.bytes);
    for (unsigned f = 0; f < FEATURE_END; f++)
        free(features[f].bytes);
    return done ? ARMPMU_OK : export_no_memory(err);
}
