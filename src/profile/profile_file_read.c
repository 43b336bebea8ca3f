/* Every number of the file is checked when it is read, so a check needs to know only what was read
 * before: tables are read in an order in which none refers to a later one, but for count. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sqlite3.h>

#include "armpmu/profile.h"
#include "base/error.h"
#include "profile/profile_file.h"
#include "profile/profile_schema.h"

#define RECORD_AGAIN    "record again"
#define HEADER_BYTES    100
#define EVENTS_MAX      4096
#define VALUE_BYTES_MAX (16 << 20)
#define SETS_MAX        (1u << 20)

struct file_reader {
    const char *path;
    unsigned char *bytes; /* the whole file */
    size_t n_bytes;
    uint32_t version; /* of its schema */
    sqlite3 *db;
    sqlite3_stmt *row; /* of the table that is read */
    const char *table;
    uint32_t n_read;            /* rows of it, before this one */
    uint64_t *dense;            /* n_events: counts of a row of the profile, or of an interval */
    struct profile_row counted; /* whose counts dense has; n_counts 0: none */
    uint64_t end_cycles;        /* of the interval whose counts dense has */
    struct profile *profile;
    enum armpmu_status status; /* the first that was not ARMPMU_OK */
    struct armpmu_error *err;
};

static bool is_sound(const struct file_reader *r)
{
    return r->status == ARMPMU_OK;
}

/* ---- the file ---- */

static enum armpmu_status cannot(struct file_reader *r, const char *doing)
{
    const enum armpmu_status status = errno == ENOENT || errno == ENOTDIR ? ARMPMU_NOT_FOUND
                                      : errno == EACCES                   ? ARMPMU_NOT_ALLOWED
                                                                          : ARMPMU_IO;

    return fail(r->err, status, "cannot %s '%s': %s%s", doing, r->path, strerror(errno),
                status == ARMPMU_NOT_FOUND ? "; 'armpmu record' writes it" : "");
}

static enum armpmu_status load_bytes(struct file_reader *r, int fd)
{
    size_t n = 0;

    r->bytes = malloc(r->n_bytes);
    if (r->bytes == NULL)
        return fail(r->err, ARMPMU_NO_MEMORY, "out of memory for '%s'", r->path);
    while (n < r->n_bytes) {
        const ssize_t part = TEMP_FAILURE_RETRY(read(fd, r->bytes + n, r->n_bytes - n));
        if (part < 0)
            return cannot(r, "read");
        if (part == 0)
            break;
        n += (size_t)part;
    }
    r->n_bytes = n;
    return ARMPMU_OK;
}

static enum armpmu_status load_open(struct file_reader *r, int fd)
{
    struct stat info;

    if (fstat(fd, &info) != 0)
        return cannot(r, "read");
    if (!S_ISREG(info.st_mode))
        return fail(r->err, ARMPMU_BAD_INPUT,
                    "'%s' is no regular file; give one that 'armpmu record' wrote", r->path);
    if (info.st_size == 0)
        return fail(r->err, ARMPMU_BAD_INPUT, "'%s' is empty; " RECORD_AGAIN, r->path);
    r->n_bytes = (size_t)info.st_size;
    return load_bytes(r, fd);
}

static enum armpmu_status load(struct file_reader *r)
{
    const int fd = TEMP_FAILURE_RETRY(open(r->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));

    if (fd < 0)
        return cannot(r, "open");
    const enum armpmu_status status = load_open(r, fd);
    close(fd);
    return status;
}

static uint32_t big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Source: sqlite.org/fileformat.html, the database header. */
static enum armpmu_status check_header(struct file_reader *r)
{
    if (r->n_bytes < HEADER_BYTES || memcmp(r->bytes, "SQLite format 3", 16) != 0)
        return fail(
            r->err, ARMPMU_BAD_INPUT,
            "'%s' is no profile: no SQLite database; give a file that 'armpmu record' wrote",
            r->path);
    const uint32_t version = big_endian(r->bytes + 60), application = big_endian(r->bytes + 68);
    if (application != PROFILE_FILE_APPLICATION_ID)
        return fail(r->err, ARMPMU_BAD_INPUT,
                    "'%s' is no profile: an SQLite database of another program (application_id "
                    "0x%x); give a file that 'armpmu record' wrote",
                    r->path, application);
    if (version > PROFILE_FILE_VERSION)
        return fail(r->err, ARMPMU_BAD_INPUT,
                    "'%s' has schema version %u, this armpmu reads up to %u; use the armpmu that "
                    "wrote it, or " RECORD_AGAIN,
                    r->path, version, PROFILE_FILE_VERSION);
    if (version == 0)
        return fail(r->err, ARMPMU_BAD_INPUT, "'%s' is damaged: schema version %u; " RECORD_AGAIN,
                    r->path, version);
    r->version = version;
    r->bytes[18] = r->bytes[19] = 1; /* a database that was in WAL mode is read without its WAL */
    return ARMPMU_OK;
}

/* ---- complaints ---- */

/* The message of a row that cannot be. */
static void damaged(struct file_reader *r, const char *column, const char *what)
{
    if (is_sound(r))
        r->status = fail(r->err, ARMPMU_BAD_INPUT, "'%s' is damaged: %s %u: %s %s; " RECORD_AGAIN,
                         r->path, r->table, r->n_read, column, what);
}

/* What SQLite found. */
static void note(struct file_reader *r, int code)
{
    if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE || !is_sound(r))
        return;
    if (code == SQLITE_NOMEM)
        r->status = fail(r->err, ARMPMU_NO_MEMORY, "out of memory for '%s'", r->path);
    else
        r->status = fail(r->err, ARMPMU_BAD_INPUT, "'%s' is damaged: %s; " RECORD_AGAIN, r->path,
                         sqlite3_errstr(code));
}

/* ---- columns ---- */

static bool is_null(struct file_reader *r, int column)
{
    return sqlite3_column_type(r->row, column) == SQLITE_NULL;
}

static uint64_t any_number(struct file_reader *r, int column)
{
    if (sqlite3_column_type(r->row, column) != SQLITE_INTEGER)
        damaged(r, sqlite3_column_name(r->row, column), "is no integer");
    return (uint64_t)sqlite3_column_int64(r->row, column);
}

static uint64_t number(struct file_reader *r, int column, uint64_t most)
{
    const uint64_t value = any_number(r, column);

    if (value > most)
        damaged(r, sqlite3_column_name(r->row, column), "is out of range");
    return is_sound(r) ? value : 0;
}

static uint32_t number32(struct file_reader *r, int column)
{
    return (uint32_t)number(r, column, UINT32_MAX);
}

static uint64_t count(struct file_reader *r, int column)
{
    return number(r, column, INT64_MAX);
}

/* The number of one of n things. */
static uint32_t reference(struct file_reader *r, int column, size_t n)
{
    const uint64_t value = any_number(r, column);

    if (value >= n)
        damaged(r, sqlite3_column_name(r->row, column), "is the number of nothing");
    return is_sound(r) ? (uint32_t)value : 0;
}

static uint32_t reference_or_none(struct file_reader *r, int column, size_t n)
{
    return is_null(r, column) ? PROFILE_NONE : reference(r, column, n);
}

static const char *text(struct file_reader *r, int column)
{
    const char *const value = sqlite3_column_type(r->row, column) == SQLITE_TEXT
                                  ? (const char *)sqlite3_column_text(r->row, column)
                                  : NULL;

    if (value != NULL && strlen(value) == (size_t)sqlite3_column_bytes(r->row, column))
        return value;
    damaged(r, sqlite3_column_name(r->row, column), "is no text");
    return "";
}

static const char *text_or_null(struct file_reader *r, int column)
{
    return is_null(r, column) ? NULL : text(r, column);
}

static struct profile_line line(struct file_reader *r, int column)
{
    return (struct profile_line){reference_or_none(r, column, r->profile->n_files),
                                 number32(r, column + 1)};
}

/* ---- rows of each table ---- */

static void check_id(struct file_reader *r, uint64_t id)
{
    if (id != r->n_read)
        damaged(r, "id", "is not the next number");
}

/* status of what was added as a number: things have the number of their row, no two are the same.
 */
static void added(struct file_reader *r, enum armpmu_status status, const uint32_t *number)
{
    if (status != ARMPMU_OK)
        r->status = status;
    else if (*number != r->n_read)
        damaged(r, "id", "is a second row of the same");
}

static void read_meta_text(struct file_reader *r, const char **value)
{
    const char *own = text(r, 1);

    if (is_sound(r))
        r->status = profile_own_text(r->profile, &own, r->err);
    if (is_sound(r))
        *value = own;
}

static void read_meta_number(struct file_reader *r, const char *key)
{
    struct profile_setup *const setup = &r->profile->setup;

    if (strcmp(key, "clock_mhz") == 0)
        setup->clock_mhz = sqlite3_column_double(r->row, 1);
    else if (strcmp(key, "seed") == 0)
        setup->seed = any_number(r, 1);
    else if (strcmp(key, "exit_status") == 0)
        setup->exit_status = (int)number(r, 1, 255);
    else if (strcmp(key, "is_complete") == 0)
        setup->is_complete = number(r, 1, 1) != 0;
    else if (strcmp(key, "has_paths") == 0)
        setup->has_paths = number(r, 1, 1) != 0;
}

static void read_meta(struct file_reader *r)
{
    struct profile_setup *const setup = &r->profile->setup;
    const struct {
        const char *key, **value;
    } texts[] = {
        {"armpmu", &setup->armpmu},
        {"core", &setup->core},
        {"machine", &setup->machine},
        {"machine_text", &setup->machine_text},
        {"machine_hash", &setup->machine_hash},
        {"engine", &setup->engine},
        {"command", &setup->command},
    };
    const char *const key = text(r, 0);

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(key, texts[i].key) == 0)
            read_meta_text(r, texts[i].value);
    read_meta_number(r, key);
}

static void read_event(struct file_reader *r)
{
    const struct profile_event event = {.name = text(r, 1),
                                        .number = number32(r, 2),
                                        .unit = text(r, 3),
                                        .fidelity = text(r, 4),
                                        .meaning = text(r, 5)};
    uint32_t as;

    check_id(r, any_number(r, 0));
    if (r->n_read >= EVENTS_MAX)
        damaged(r, "id", "is too many events");
    if (is_sound(r))
        added(r, profile_add_event(r->profile, &event, &as, r->err), &as);
}

static void read_object(struct file_reader *r)
{
    const struct profile_object object = {text(r, 1), text_or_null(r, 2), any_number(r, 3),
                                          any_number(r, 4)};
    uint32_t as;

    check_id(r, any_number(r, 0));
    if (is_sound(r))
        added(r, profile_add_object(r->profile, &object, &as, r->err), &as);
}

static void read_function(struct file_reader *r)
{
    const struct profile_function function = {reference_or_none(r, 1, r->profile->n_objects),
                                              any_number(r, 2), any_number(r, 3), text(r, 4),
                                              text(r, 5)};
    uint32_t as;

    check_id(r, any_number(r, 0));
    if (is_sound(r))
        added(r, profile_add_function(r->profile, &function, &as, r->err), &as);
}

static void read_file(struct file_reader *r)
{
    const char *const path = text(r, 1);
    uint32_t as;

    check_id(r, any_number(r, 0));
    if (is_sound(r))
        added(r, profile_add_file(r->profile, path, &as, r->err), &as);
}

static void read_thread(struct file_reader *r)
{
    const struct profile_thread thread = {number32(r, 1), number32(r, 2), text_or_null(r, 3)};
    uint32_t as;

    check_id(r, any_number(r, 0));
    if (is_sound(r))
        added(r, profile_add_thread(r->profile, &thread, &as, r->err), &as);
}

static void read_inline(struct file_reader *r)
{
    const struct profile_inline inlined = {text(r, 1), line(r, 2)};
    uint32_t as;

    check_id(r, any_number(r, 0));
    if (is_sound(r))
        added(r, profile_add_inline(r->profile, &inlined, &as, r->err), &as);
}

static enum armpmu_isa isa(struct file_reader *r, int column)
{
    const char *const name = text(r, column);

    for (enum armpmu_isa i = ARMPMU_A32; i <= ARMPMU_A64; i++)
        if (strcmp(profile_isa_name(i), name) == 0)
            return i;
    damaged(r, "isa", "is none of A32, T32 and A64");
    return ARMPMU_A32;
}

static void insn_bytes(struct file_reader *r, int column, struct profile_insn *insn)
{
    const void *const bytes = sqlite3_column_blob(r->row, column);
    const int n = sqlite3_column_bytes(r->row, column);

    if (sqlite3_column_type(r->row, column) != SQLITE_BLOB || (n != 0 && n != 2 && n != 4))
        damaged(r, "bytes", "are not those of an instruction");
    else if (n != 0)
        memcpy(insn->bytes, bytes, (size_t)n);
    insn->n_bytes = (uint8_t)n;
}

static void read_insn(struct file_reader *r)
{
    const struct profile *const p = r->profile;
    struct profile_insn insn = {.address = any_number(r, 1),
                                .object = reference_or_none(r, 2, p->n_objects),
                                .function = reference_or_none(r, 3, p->n_functions),
                                .line = line(r, 4),
                                .first_inline = number32(r, 6),
                                .n_inlines = number32(r, 7),
                                .isa = isa(r, 8)};
    uint32_t as;

    check_id(r, any_number(r, 0));
    insn_bytes(r, 9, &insn);
    if (insn.first_inline > p->n_inlines || insn.n_inlines > p->n_inlines - insn.first_inline)
        damaged(r, "inlines", "are not there");
    if (is_sound(r))
        added(r, profile_add_insn(r->profile, &insn, &as, r->err), &as);
}

static void read_root(struct file_reader *r)
{
    for (int column = 1; column <= 3; column++)
        if (!is_null(r, column))
            damaged(r, sqlite3_column_name(r->row, column), "is not NULL of the outermost path");
    r->profile->paths[PROFILE_ROOT].n_calls = count(r, 4);
}

static void read_path(struct file_reader *r)
{
    uint32_t as;

    check_id(r, any_number(r, 0));
    if (r->n_read == PROFILE_ROOT) {
        read_root(r);
        return;
    }
    const struct profile_path path = {reference(r, 1, r->n_read),
                                      reference_or_none(r, 2, r->profile->n_insns),
                                      reference(r, 3, r->profile->n_functions), count(r, 4)};
    if (is_sound(r))
        added(r, profile_add_path(r->profile, &path, &as, r->err), &as);
}

/* ---- counts ---- */

static void clear_counts(struct file_reader *r)
{
    if (r->profile->n_events > 0)
        memset(r->dense, 0, r->profile->n_events * sizeof *r->dense);
    r->counted.n_counts = 0;
}

static void add_counted(struct file_reader *r)
{
    const struct profile_row *const row = &r->counted;

    if (row->n_counts == 0 || !is_sound(r))
        return;
    r->status = profile_add_row(r->profile, row->thread, row->path, row->insn, r->dense, r->err);
    clear_counts(r);
}

static bool is_counted(const struct file_reader *r, uint32_t thread, uint32_t path, uint32_t insn)
{
    const struct profile_row *const row = &r->counted;

    return row->n_counts > 0 && row->thread == thread && row->path == path && row->insn == insn;
}

static void read_count(struct file_reader *r)
{
    const struct profile *const p = r->profile;
    const uint32_t thread = reference(r, 0, p->n_threads), path = reference(r, 1, p->n_paths),
                   insn = reference(r, 2, p->n_insns), event = reference(r, 3, p->n_events);
    const uint64_t n = count(r, 4);

    if (n == 0)
        damaged(r, "n", "is 0");
    if (!is_counted(r, thread, path, insn))
        add_counted(r);
    if (!is_sound(r))
        return;
    if (n > INT64_MAX - p->totals[event] - r->dense[event])
        damaged(r, "n", "is too large");
    r->counted = (struct profile_row){thread, path, insn, 0, r->counted.n_counts + 1};
    r->dense[event] += n;
}

static void read_interval(struct file_reader *r)
{
    const size_t n_events = r->profile->n_events;
    const uint64_t id = any_number(r, 0), end_cycles = count(r, 1);
    const uint32_t event = reference(r, 2, n_events);
    const uint64_t n = count(r, 3);

    if (!is_sound(r))
        return;
    if (id != r->n_read / n_events || event != r->n_read % n_events)
        damaged(r, "event", "is not the next of its interval");
    if (event > 0 && end_cycles != r->end_cycles)
        damaged(r, "end_cycles", "differs within an interval");
    r->end_cycles = end_cycles;
    r->dense[event] = n;
    if (event == n_events - 1 && is_sound(r))
        r->status = profile_add_interval(r->profile, end_cycles, r->dense, r->err);
}

static void read_total(struct file_reader *r)
{
    const uint32_t event = reference(r, 0, r->profile->n_events);

    check_id(r, event);
    if (is_sound(r) && count(r, 1) != r->profile->totals[event])
        damaged(r, "n", "is not the sum of the counts");
}

/* ---- misses of caches ---- */

static uint64_t power_of_two(struct file_reader *r, int column)
{
    const uint64_t value = count(r, column);

    if (value == 0 || (value & (value - 1)) != 0)
        damaged(r, sqlite3_column_name(r->row, column), "is no power of two");
    return is_sound(r) ? value : 1;
}

static void read_cache(struct file_reader *r)
{
    const struct profile_cache cache = {.name = text(r, 1),
                                        .event = reference_or_none(r, 2, r->profile->n_events),
                                        .n_sets = number32(r, 3),
                                        .region_bytes = power_of_two(r, 4),
                                        .column_cycles = power_of_two(r, 5),
                                        .is_physical = number(r, 6, 1) != 0};
    uint32_t as;

    check_id(r, any_number(r, 0));
    if (cache.n_sets > SETS_MAX)
        damaged(r, "sets", "is too many");
    if (is_sound(r))
        added(r, profile_add_cache(r->profile, &cache, &as, r->err), &as);
}

static void read_region(struct file_reader *r)
{
    const struct profile *const p = r->profile;
    const struct profile_region region = {reference(r, 1, p->n_caches), any_number(r, 2),
                                          text_or_null(r, 3)};
    const struct profile_region *const last =
        p->n_regions > 0 ? &p->regions[p->n_regions - 1] : NULL;
    uint32_t as;

    check_id(r, any_number(r, 0));
    if (!is_sound(r))
        return;
    if (region.address % p->caches[region.cache].region_bytes != 0)
        damaged(r, "address", "is not where a region begins");
    if (last != NULL && (region.cache < last->cache ||
                         (region.cache == last->cache && region.address <= last->address)))
        damaged(r, "address", "does not rise");
    if (r->n_read >= (region.cache + 1) * ARMPMU_MISS_ROWS)
        damaged(r, "id", "is too many");
    if (is_sound(r))
        added(r, profile_add_region(r->profile, &region, &as, r->err), &as);
}

/* A count of misses, of which all so far are `before`. */
static uint64_t misses(struct file_reader *r, int column, uint64_t before)
{
    const uint64_t n = count(r, column);

    if (n == 0)
        damaged(r, "n", "is 0");
    if (n > INT64_MAX - before)
        damaged(r, "n", "is too large");
    return n;
}

static void read_miss(struct file_reader *r)
{
    const struct profile *const p = r->profile;
    const uint32_t region = reference(r, 0, p->n_regions);
    const struct profile_miss *const last = p->n_misses > 0 ? &p->misses[p->n_misses - 1] : NULL;

    if (!is_sound(r))
        return;
    const struct profile_cache *const cache = &p->caches[p->regions[region].cache];
    const struct profile_miss miss = {region, count(r, 1), misses(r, 2, cache->n)};
    if (miss.start_cycles % cache->column_cycles != 0 ||
        miss.start_cycles / cache->column_cycles >= ARMPMU_MISS_COLUMNS)
        damaged(r, "start_cycles", "is not where a column begins");
    if (last != NULL && (region < last->region ||
                         (region == last->region && miss.start_cycles <= last->start_cycles)))
        damaged(r, "start_cycles", "does not rise");
    if (is_sound(r))
        r->status = profile_add_miss(r->profile, &miss, r->err);
}

static void read_set_miss(struct file_reader *r)
{
    const struct profile *const p = r->profile;
    const uint32_t cache = reference(r, 0, p->n_caches),
                   region = reference_or_none(r, 2, p->n_regions);

    if (!is_sound(r))
        return;
    const struct profile_set_miss miss = {cache, reference(r, 1, p->caches[cache].n_sets), region,
                                          misses(r, 3, 0)};
    if (is_sound(r) && region != PROFILE_NONE && p->regions[region].cache != cache)
        damaged(r, "region", "is one of another cache");
    if (is_sound(r))
        r->status = profile_add_set_miss(r->profile, &miss, r->err);
}

static uint64_t misses_in_sets(const struct profile *p, uint32_t cache)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < p->n_set_misses; i++)
        if (p->set_misses[i].cache == cache)
            sum += p->set_misses[i].n;
    return sum;
}

static void end_set_misses(struct file_reader *r)
{
    for (uint32_t i = 0; i < r->profile->n_caches && is_sound(r); i++)
        if (misses_in_sets(r->profile, i) != r->profile->caches[i].n)
            damaged(r, "n", "does not add up to the misses of the cache");
}

static void nothing(struct file_reader *r)
{
    (void)r;
}

static void make_room_for_counts(struct file_reader *r)
{
    r->dense = calloc(r->profile->n_events + 1, sizeof *r->dense);
    if (r->dense == NULL && is_sound(r))
        r->status = fail(r->err, ARMPMU_NO_MEMORY, "out of memory for '%s'", r->path);
}

static void end_intervals(struct file_reader *r)
{
    if (r->profile->n_intervals * r->profile->n_events != r->n_read)
        damaged(r, "event", "is missing");
}

static void end_totals(struct file_reader *r)
{
    if (r->profile->n_events != r->n_read)
        damaged(r, "event", "is missing");
}

/* ---- the database ---- */

static const struct {
    void (*row)(struct file_reader *);
    void (*end)(struct file_reader *);
} tables[] = {
    [PROFILE_TABLE_meta] = {read_meta, nothing},
    [PROFILE_TABLE_event] = {read_event, make_room_for_counts},
    [PROFILE_TABLE_object] = {read_object, nothing},
    [PROFILE_TABLE_function] = {read_function, nothing},
    [PROFILE_TABLE_file] = {read_file, nothing},
    [PROFILE_TABLE_thread] = {read_thread, nothing},
    [PROFILE_TABLE_inline] = {read_inline, nothing},
    [PROFILE_TABLE_insn] = {read_insn, nothing},
    [PROFILE_TABLE_path] = {read_path, nothing},
    [PROFILE_TABLE_count] = {read_count, add_counted},
    [PROFILE_TABLE_interval] = {read_interval, end_intervals},
    [PROFILE_TABLE_total] = {read_total, end_totals},
    [PROFILE_TABLE_cache] = {read_cache, nothing},
    [PROFILE_TABLE_region] = {read_region, nothing},
    [PROFILE_TABLE_miss] = {read_miss, nothing},
    [PROFILE_TABLE_set_miss] = {read_set_miss, end_set_misses},
};

static sqlite3_stmt *prepare(struct file_reader *r, const char *sql)
{
    sqlite3_stmt *statement = NULL;

    note(r, sqlite3_prepare_v2(r->db, sql, -1, &statement, NULL));
    return statement;
}

/* A table is what we made: no view or virtual table, which could be anything. */
static void check_table(struct file_reader *r, const struct profile_schema *table)
{
    sqlite3_stmt *const found =
        prepare(r, "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ? AND sql = ?");

    if (found == NULL)
        return;
    note(r, sqlite3_bind_text(found, 1, table->name, -1, NULL));
    note(r, sqlite3_bind_text(found, 2, table->sql, -1, NULL));
    const int code = sqlite3_step(found);
    note(r, code);
    if (code != SQLITE_ROW && is_sound(r))
        r->status =
            fail(r->err, ARMPMU_BAD_INPUT,
                 "'%s': its table %s is not that of schema version %u: it was changed, or another "
                 "build of armpmu wrote it; use that, or " RECORD_AGAIN,
                 r->path, table->name, r->version);
    sqlite3_finalize(found);
}

/* Numbers of rows rise: a tree of pages that is none would give rows without end. */
static void check_rowid(struct file_reader *r, int64_t *last)
{
    const int64_t rowid = sqlite3_column_int64(r->row, sqlite3_column_count(r->row) - 1);

    if (r->n_read > 0 && rowid <= *last)
        damaged(r, "rowid", "does not rise");
    if (r->n_read == PROFILE_NONE - 1)
        damaged(r, "rowid", "is too many");
    *last = rowid;
}

static void read_rows(struct file_reader *r, void (*read_row)(struct file_reader *))
{
    int64_t last = 0;
    int code = SQLITE_DONE;

    for (r->n_read = 0; is_sound(r) && (code = sqlite3_step(r->row)) == SQLITE_ROW; r->n_read++) {
        check_rowid(r, &last);
        read_row(r);
    }
    note(r, code);
}

static void read_table(struct file_reader *r, size_t table)
{
    char sql[64];

    check_table(r, &profile_schema[table]);
    r->table = profile_schema[table].name;
    snprintf(sql, sizeof sql, "SELECT *, rowid FROM \"%s\" ORDER BY rowid", r->table);
    if (is_sound(r) && (r->row = prepare(r, sql)) != NULL) {
        read_rows(r, tables[table].row);
        tables[table].end(r);
    }
    sqlite3_finalize(r->row);
    r->row = NULL;
}

static void read_database(struct file_reader *r)
{
    note(r, sqlite3_open_v2(":memory:", &r->db, SQLITE_OPEN_READWRITE, NULL));
    sqlite3_limit(r->db, SQLITE_LIMIT_LENGTH, VALUE_BYTES_MAX);
    if (is_sound(r))
        note(r, sqlite3_deserialize(r->db, "main", r->bytes, (sqlite3_int64)r->n_bytes,
                                    (sqlite3_int64)r->n_bytes, SQLITE_DESERIALIZE_READONLY));
    /* Version 1 has no misses of caches. */
    const size_t n = r->version == 1 ? PROFILE_TABLE_cache : sizeof tables / sizeof *tables;
    for (size_t i = 0; i < n && is_sound(r); i++)
        read_table(r, i);
    sqlite3_close(r->db);
}

enum armpmu_status profile_file_read(const char *path, struct profile **out,
                                     struct armpmu_error *err)
{
    struct file_reader r = {.path = path, .err = err};

    *out = NULL;
    r.status = load(&r);
    if (is_sound(&r))
        r.status = check_header(&r);
    if (is_sound(&r))
        r.status = profile_new(&r.profile, err);
    if (is_sound(&r))
        read_database(&r);
    free(r.dense);
    free(r.bytes);
    if (is_sound(&r))
        *out = r.profile;
    else
        profile_free(r.profile);
    return r.status;
}
