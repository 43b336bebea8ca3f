#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "base/error.h"
#include "base/intern.h"
#include "profile/profile_file.h"
#include "profile/profile_schema.h"

#define INSERT_META "INSERT INTO meta VALUES (?, ?)"
#define DATABASE_BYTES_MAX                                                                         \
    (INT64_C(1) << 40) /* SQLite's own limit for a database in memory is 1 GiB */

struct file_writer {
    sqlite3 *db;
    sqlite3_stmt *insert;
    int code;      /* the first that was not SQLITE_OK */
    uint32_t row;  /* the hash of the row that is made ... */
    uint64_t rows; /* ... and the sum over all rows */
};

static void note(struct file_writer *w, int code)
{
    if (w->code == SQLITE_OK && code != SQLITE_OK && code != SQLITE_DONE)
        w->code = code;
}

static void run(struct file_writer *w, const char *sql)
{
    if (w->code == SQLITE_OK)
        note(w, sqlite3_exec(w->db, sql, NULL, NULL, NULL));
}

/* Rows that follow go into the table with this statement. */
static void begin_table(struct file_writer *w, const char *insert)
{
    note(w, sqlite3_finalize(w->insert));
    w->insert = NULL;
    if (w->code == SQLITE_OK)
        note(w, sqlite3_prepare_v2(w->db, insert, -1, &w->insert, NULL));
}

/* ---- values of a row ---- */

static int bind_null(struct file_writer *w, int column)
{
    w->row = profile_hash(w->row, SQLITE_NULL, NULL, 0);
    return sqlite3_bind_null(w->insert, column);
}

static int bind_number(struct file_writer *w, int column, uint64_t number)
{
    w->row = profile_hash_bits(w->row, SQLITE_INTEGER, number);
    return sqlite3_bind_int64(w->insert, column, (int64_t)number);
}

static int bind_number32(struct file_writer *w, int column, uint32_t number)
{
    return number == PROFILE_NONE ? bind_null(w, column) : bind_number(w, column, number);
}

static int bind_double(struct file_writer *w, int column, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    w->row = profile_hash_bits(w->row, SQLITE_FLOAT, bits);
    return sqlite3_bind_double(w->insert, column, value);
}

static int bind_text(struct file_writer *w, int column, const char *text)
{
    if (text == NULL)
        return bind_null(w, column);
    w->row = profile_hash(w->row, SQLITE_TEXT, text, strlen(text));
    return sqlite3_bind_text(w->insert, column, text, -1, SQLITE_STATIC);
}

static int bind_bytes(struct file_writer *w, int column, const void *bytes, int n)
{
    w->row = profile_hash(w->row, SQLITE_BLOB, bytes, (size_t)n);
    return sqlite3_bind_blob(w->insert, column, bytes, n, SQLITE_STATIC);
}

/* Inserts a row. kinds has a letter for each value: i a number that may be PROFILE_NONE
 * (uint32_t), n 64 bits (uint64_t), d a double, t text that may be NULL, b bytes (pointer and int).
 */
static void put(struct file_writer *w, const char *kinds, ...)
{
    va_list values;
    int column = 0;

    if (w->code != SQLITE_OK)
        return;
    w->row = HASH_START;
    va_start(values, kinds);
    for (const char *kind = kinds; *kind != '\0'; kind++) {
        column++;
        if (*kind == 'i')
            note(w, bind_number32(w, column, va_arg(values, uint32_t)));
        else if (*kind == 'n')
            note(w, bind_number(w, column, va_arg(values, uint64_t)));
        else if (*kind == 'd')
            note(w, bind_double(w, column, va_arg(values, double)));
        else if (*kind == 't')
            note(w, bind_text(w, column, va_arg(values, const char *)));
        else {
            const void *const bytes = va_arg(values, const void *);
            note(w, bind_bytes(w, column, bytes, va_arg(values, int)));
        }
    }
    va_end(values);
    w->rows += w->row;
    note(w, sqlite3_step(w->insert));
    note(w, sqlite3_reset(w->insert));
}

/* ---- the tables ---- */

static void put_text(struct file_writer *w, const char *key, const char *value)
{
    if (value != NULL)
        put(w, "tt", key, value);
}

static void write_meta(struct file_writer *w, const struct profile *p)
{
    const struct profile_setup *const setup = &p->setup;

    begin_table(w, INSERT_META);
    put_text(w, "armpmu", setup->armpmu);
    put_text(w, "core", setup->core);
    put_text(w, "machine", setup->machine);
    put_text(w, "machine_text", setup->machine_text);
    put_text(w, "machine_hash", setup->machine_hash);
    put_text(w, "engine", setup->engine);
    put_text(w, "command", setup->command);
    put(w, "td", "clock_mhz", setup->clock_mhz);
    put(w, "tn", "seed", setup->seed);
    put(w, "tn", "exit_status", (uint64_t)(int64_t)setup->exit_status);
    put(w, "tn", "is_complete", (uint64_t)setup->is_complete);
    put(w, "tn", "has_paths", (uint64_t)setup->has_paths);
    for (size_t i = 0; i < VERSIONS; i++)
        put_text(w, version_keys[i], setup->versions[i]);
    if (setup->lacks_paths)
        put(w, "tn", "lacks_paths", (uint64_t)setup->lacks_paths);
    put_text(w, "access_latency", setup->access_latency);
}

static void write_events(struct file_writer *w, const struct profile *p)
{
    begin_table(w, "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?)");
    for (uint32_t i = 0; i < p->n_events; i++) {
        const struct profile_event *const event = &p->events[i];
        put(w, "itittt", i, event->name, event->number, event->unit, event->fidelity,
            event->meaning);
    }
    begin_table(w, "INSERT INTO total VALUES (?, ?)");
    for (uint32_t i = 0; i < p->n_events; i++)
        put(w, "in", i, p->totals[i]);
}

static void write_objects(struct file_writer *w, const struct profile *p)
{
    begin_table(w, "INSERT INTO object VALUES (?, ?, ?, ?, ?)");
    for (uint32_t i = 0; i < p->n_objects; i++) {
        const struct profile_object *const object = &p->objects[i];
        put(w, "ittnn", i, object->path, object->build_id, object->bias, object->offset);
    }
}

static void write_functions(struct file_writer *w, const struct profile *p)
{
    begin_table(w, "INSERT INTO function VALUES (?, ?, ?, ?, ?, ?)");
    for (uint32_t i = 0; i < p->n_functions; i++) {
        const struct profile_function *const function = &p->functions[i];
        put(w, "iinntt", i, function->object, function->address, function->n_bytes,
            function->symbol, function->name);
    }
}

static void write_files(struct file_writer *w, const struct profile *p)
{
    begin_table(w, "INSERT INTO file VALUES (?, ?)");
    for (uint32_t i = 0; i < p->n_files; i++)
        put(w, "it", i, p->files[i].path);
}

static void write_threads(struct file_writer *w, const struct profile *p)
{
    begin_table(w, "INSERT INTO thread VALUES (?, ?, ?, ?)");
    for (uint32_t i = 0; i < p->n_threads; i++) {
        const struct profile_thread *const thread = &p->threads[i];
        put(w, "iiit", i, thread->process, thread->thread, thread->name);
    }
}

static void write_inlines(struct file_writer *w, const struct profile *p)
{
    begin_table(w, "INSERT INTO inline VALUES (?, ?, ?, ?)");
    for (uint32_t i = 0; i < p->n_inlines; i++) {
        const struct profile_inline *const inlined = &p->inlines[i];
        put(w, "itii", i, inlined->name, inlined->call.file, inlined->call.line);
    }
}

static void write_insns(struct file_writer *w, const struct profile *p)
{
    begin_table(w, "INSERT INTO insn VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (uint32_t i = 0; i < p->n_insns; i++) {
        const struct profile_insn *const insn = &p->insns[i];
        put(w, "iniiiiiitb", i, insn->address, insn->object, insn->function, insn->line.file,
            insn->line.line, insn->first_inline, insn->n_inlines, profile_isa_name(insn->isa),
            (const void *)insn->bytes, (int)insn->n_bytes);
    }
}

static void write_paths(struct file_writer *w, const struct profile *p)
{
    begin_table(w, "INSERT INTO path VALUES (?, ?, ?, ?, ?)");
    for (uint32_t i = 0; i < p->n_paths; i++) {
        const struct profile_path *const path = &p->paths[i];
        put(w, "iiiin", i, i == PROFILE_ROOT ? PROFILE_NONE : path->parent, path->caller,
            path->function, path->n_calls);
    }
}

/* ---- counts, each list of them once ---- */

struct tallies {
    const struct profile *profile;
    struct intern index;
    uint32_t *rows; /* a row that has the tally, by its number */
    uint32_t *of;   /* the tally of each row */
};

static const struct profile_count *counts_of(const struct profile *p, uint32_t row)
{
    return &p->counts[p->rows[row].first_count];
}

static bool same_counts(const void *things, uint32_t number, const void *key)
{
    const struct tallies *const tallies = things;
    const struct profile *const p = tallies->profile;
    const uint32_t row = *(const uint32_t *)key, other = tallies->rows[number];
    const struct profile_count *const a = counts_of(p, row), *const b = counts_of(p, other);
    bool same = p->rows[row].n_counts == p->rows[other].n_counts;

    for (uint32_t i = 0; same && i < p->rows[row].n_counts; i++)
        same = a[i].event == b[i].event && a[i].n == b[i].n;
    return same;
}

static uint32_t hash_counts(const struct profile *p, uint32_t row)
{
    const struct profile_count *const counts = counts_of(p, row);
    uint32_t hash = HASH_START;

    for (uint32_t i = 0; i < p->rows[row].n_counts; i++)
        hash = hash_number(hash_number(hash, counts[i].event), counts[i].n);
    return hash;
}

/* False without memory. */
static bool find_tally(struct tallies *tallies, uint32_t row)
{
    const uint32_t hash = hash_counts(tallies->profile, row);
    uint32_t number = intern_find(&tallies->index, hash, same_counts, tallies, &row);

    if (number == INTERN_NONE) {
        number = tallies->index.n;
        if (!intern_add(&tallies->index, hash, number))
            return false;
        tallies->rows[number] = row;
    }
    tallies->of[row] = number;
    return true;
}

static void write_tallies(struct file_writer *w, const struct tallies *tallies)
{
    const struct profile *const p = tallies->profile;

    begin_table(w, "INSERT INTO tally VALUES (?, ?, ?)");
    for (uint32_t number = 0; number < tallies->index.n; number++) {
        const struct profile_count *const counts = counts_of(p, tallies->rows[number]);
        for (uint32_t i = 0; i < p->rows[tallies->rows[number]].n_counts; i++)
            put(w, "iin", number, counts[i].event, counts[i].n);
    }
    begin_table(w, "INSERT INTO counts VALUES (?, ?, ?, ?)");
    for (uint32_t i = 0; i < p->n_rows; i++)
        if (p->rows[i].n_counts != 0)
            put(w, "iiii", p->rows[i].thread, p->rows[i].path, p->rows[i].insn, tallies->of[i]);
}

static void write_rows(struct file_writer *w, const struct profile *p)
{
    struct tallies tallies = {.profile = p,
                              .rows = calloc(p->n_rows + 1, sizeof *tallies.rows),
                              .of = calloc(p->n_rows + 1, sizeof *tallies.of)};
    bool sound = tallies.rows != NULL && tallies.of != NULL;

    for (uint32_t i = 0; i < p->n_rows && sound; i++)
        if (p->rows[i].n_counts != 0)
            sound = find_tally(&tallies, i);
    if (sound)
        write_tallies(w, &tallies);
    else
        note(w, SQLITE_NOMEM);
    intern_free(&tallies.index);
    free(tallies.rows);
    free(tallies.of);
}

static void write_intervals(struct file_writer *w, const struct profile *p)
{
    begin_table(w, "INSERT INTO interval VALUES (?, ?, ?, ?)");
    for (uint32_t i = 0; i < p->n_intervals; i++)
        for (uint32_t event = 0; event < p->n_events; event++)
            put(w, "inin", i, p->intervals[i].end_cycles, event, p->intervals[i].counts[event]);
}

static void write_caches(struct file_writer *w, const struct profile *p)
{
    begin_table(w, "INSERT INTO cache VALUES (?, ?, ?, ?, ?, ?, ?)");
    for (uint32_t i = 0; i < p->n_caches; i++) {
        const struct profile_cache *const cache = &p->caches[i];
        put(w, "itiinni", i, cache->name, cache->event, cache->n_sets, cache->region_bytes,
            cache->column_cycles, (uint32_t)cache->is_physical);
    }
    begin_table(w, "INSERT INTO region VALUES (?, ?, ?, ?)");
    for (uint32_t i = 0; i < p->n_regions; i++)
        put(w, "iint", i, p->regions[i].cache, p->regions[i].address, p->regions[i].name);
}

static void write_misses(struct file_writer *w, const struct profile *p)
{
    begin_table(w, "INSERT INTO miss VALUES (?, ?, ?)");
    for (size_t i = 0; i < p->n_misses; i++)
        put(w, "inn", p->misses[i].region, p->misses[i].start_cycles, p->misses[i].n);
    begin_table(w, "INSERT INTO set_miss VALUES (?, ?, ?, ?)");
    for (size_t i = 0; i < p->n_set_misses; i++)
        put(w, "iiin", p->set_misses[i].cache, p->set_misses[i].set, p->set_misses[i].region,
            p->set_misses[i].n);
}

static void write_edges(struct file_writer *w, const struct profile *p)
{
    begin_table(w, "INSERT INTO edge VALUES (?, ?, ?, ?)");
    for (size_t i = 0; i < p->n_edges; i++)
        put(w, "iinn", p->edges[i].from, p->edges[i].to, p->edges[i].n, p->edges[i].n_mispredicted);
}

static void write_accesses(struct file_writer *w, const struct profile *p)
{
    begin_table(w, "INSERT INTO datum VALUES (?, ?, ?, ?)");
    for (uint32_t i = 0; i < p->n_data; i++)
        put(w, "itnn", i, p->data[i].name, p->data[i].address, p->data[i].n_bytes);
    begin_table(w, "INSERT INTO access VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (size_t i = 0; i < p->n_accesses; i++) {
        const struct profile_access *const a = &p->accesses[i];
        put(w, "iiiittinnnnnnnnn", a->thread, a->insn, a->datum, (uint32_t)a->of.kind,
            profile_source_name(a->of.source), profile_tlb_name(a->of.tlb), (uint32_t)a->of.latency,
            a->of.low, a->of.high, a->of.sample, a->of.step, a->of.n, a->of.lookups, a->of.refills,
            a->of.tlb_refills, a->of.cycles);
    }
}

static void write_places(struct file_writer *w, const struct profile *p)
{
    begin_table(w, "INSERT INTO allocation VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (uint32_t i = 0; i < p->n_allocations; i++) {
        const struct profile_allocation *const a = &p->allocations[i];
        put(w, "iiiiinnnn", i, a->datum, a->insn, a->path, (uint32_t)a->is_mapped, a->n, a->n_bytes,
            a->smallest, a->largest);
    }
    begin_table(w, "INSERT INTO member VALUES (?, ?, ?, ?, ?)");
    for (uint32_t i = 0; i < p->n_members; i++)
        put(w, "ittnn", i, p->members[i].type, p->members[i].name, p->members[i].offset,
            p->members[i].n_bytes);
    begin_table(w, "INSERT INTO place VALUES (?, ?, ?, ?, ?, ?)");
    for (size_t i = 0; i < p->n_accesses; i++) {
        const struct profile_access *const a = &p->accesses[i];
        put(w, "niinni", (uint64_t)i + 1, (uint32_t)a->of.bytes, a->of.allocation - 1, a->of.offset,
            a->of.offset_step, a->member);
    }
}

/* ---- the database ---- */

static void create(struct file_writer *w)
{
    char sql[96];

    snprintf(sql, sizeof sql, "PRAGMA application_id = %u; PRAGMA user_version = %u",
             PROFILE_FILE_APPLICATION_ID, PROFILE_FILE_VERSION);
    run(w, sql);
    for (size_t i = 0; i < PROFILE_SCHEMA_N; i++)
        if (profile_schema[i].last == PROFILE_FILE_VERSION)
            run(w, profile_schema[i].sql);
}

static void fill(struct file_writer *w, const struct profile *p)
{
    static void (*const tables[])(struct file_writer *, const struct profile *) = {
        write_meta,   write_events,  write_objects,   write_functions,
        write_files,  write_threads, write_inlines,   write_insns,
        write_paths,  write_rows,    write_intervals, write_caches,
        write_misses, write_edges,   write_accesses,  write_places,
    };

    run(w, "PRAGMA journal_mode = OFF; BEGIN");
    create(w);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        tables[i](w, p);
    begin_table(w, INSERT_META);
    put(w, "tn", PROFILE_CHECKSUM_KEY, w->rows + PROFILE_FILE_VERSION);
    note(w, sqlite3_finalize(w->insert));
    run(w, "COMMIT");
}

static void open_in_memory(struct file_writer *w)
{
    sqlite3_int64 most = DATABASE_BYTES_MAX;

    /* No statistics of memory, which take a lock at each allocation. It fails, without harm, once
     * SQLite is in use. */
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    note(w, sqlite3_open_v2(":memory:", &w->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL));
    /* A database of nothing: only memory can be missing, whatever SQLite calls it. */
    if (w->code == SQLITE_OK &&
        sqlite3_deserialize(w->db, "main", NULL, 0, 0,
                            SQLITE_DESERIALIZE_RESIZEABLE | SQLITE_DESERIALIZE_FREEONCLOSE) !=
            SQLITE_OK)
        w->code = SQLITE_NOMEM;
    if (w->code == SQLITE_OK)
        note(w, sqlite3_file_control(w->db, "main", SQLITE_FCNTL_SIZE_LIMIT, &most));
}

enum armpmu_status profile_file_write(const struct profile *profile, FILE *stream,
                                      struct armpmu_error *err)
{
    struct file_writer w = {0};
    sqlite3_int64 n_bytes = 0;
    enum armpmu_status status = ARMPMU_OK;

    open_in_memory(&w);
    fill(&w, profile);
    const void *const bytes = sqlite3_serialize(w.db, "main", &n_bytes, SQLITE_SERIALIZE_NOCOPY);
    if (w.code != SQLITE_OK || bytes == NULL)
        status = fail(err, ARMPMU_NO_MEMORY, "cannot make the profile's file: %s",
                      sqlite3_errstr(w.code != SQLITE_OK ? w.code : SQLITE_NOMEM));
    else
        (void)fwrite(bytes, 1, (size_t)n_bytes, stream);
    sqlite3_close(w.db);
    return status;
}
