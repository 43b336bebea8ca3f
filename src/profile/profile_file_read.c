/* Every number of the file is checked when it is read, so a check needs to know only what was read
 * before: tables are read in an order in which none refers to a later one. */
#include "profile/profile_file_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/intern.h"
#include "profile/profile_file.h"
#include "profile/profile_schema.h"

#define VALUE_BYTES_MAX (16 << 20)

static void nothing(struct file_reader *r)
{
    (void)r;
}

static const struct {
    table_reader *row, *end;
} tables[] = {
    [PROFILE_TABLE_meta] = {profile_read_meta_row, nothing},
    [PROFILE_TABLE_event] = {profile_read_event_row, profile_make_room_for_counts},
    [PROFILE_TABLE_object] = {profile_read_object_row, nothing},
    [PROFILE_TABLE_function] = {profile_read_function_row, nothing},
    [PROFILE_TABLE_file] = {profile_read_file_row, nothing},
    [PROFILE_TABLE_thread] = {profile_read_thread_row, nothing},
    [PROFILE_TABLE_inline] = {profile_read_inline_row, nothing},
    [PROFILE_TABLE_insn] = {profile_read_insn_row, nothing},
    [PROFILE_TABLE_path] = {profile_read_path_row, nothing},
    [PROFILE_TABLE_count] = {profile_read_count_row, profile_add_counted},
    [PROFILE_TABLE_tally] = {profile_read_tally_row, profile_end_tallies},
    [PROFILE_TABLE_counts] = {profile_read_counts_row, nothing},
    [PROFILE_TABLE_interval] = {profile_read_interval_row, profile_end_intervals},
    [PROFILE_TABLE_total] = {profile_read_total_row, profile_end_totals},
    [PROFILE_TABLE_cache] = {profile_read_cache_row, nothing},
    [PROFILE_TABLE_region] = {profile_read_region_row, nothing},
    [PROFILE_TABLE_miss] = {profile_read_miss_row, nothing},
    [PROFILE_TABLE_set_miss] = {profile_read_set_miss_row, profile_end_set_misses},
    [PROFILE_TABLE_edge] = {profile_read_edge_row, nothing},
    [PROFILE_TABLE_datum] = {profile_read_datum_row, nothing},
    [PROFILE_TABLE_access] = {profile_read_access_row, nothing},
    [PROFILE_TABLE_allocation] = {profile_read_allocation_row, nothing},
    [PROFILE_TABLE_member] = {profile_read_member_row, nothing},
    [PROFILE_TABLE_place] = {profile_read_place_row, nothing},
};

static sqlite3_stmt *prepare(struct file_reader *r, const char *sql)
{
    sqlite3_stmt *statement = NULL;

    profile_note_sqlite(r, sqlite3_prepare_v2(r->db, sql, -1, &statement, NULL));
    return statement;
}

/* A table is what we made: no view or virtual table, which could be anything. */
static void check_table(struct file_reader *r, const struct profile_schema *table)
{
    sqlite3_stmt *const found =
        prepare(r, "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ? AND sql = ?");

    if (found == NULL)
        return;
    profile_note_sqlite(r, sqlite3_bind_text(found, 1, table->name, -1, NULL));
    profile_note_sqlite(r, sqlite3_bind_text(found, 2, table->sql, -1, NULL));
    const int code = sqlite3_step(found);
    profile_note_sqlite(r, code);
    if (code != SQLITE_ROW && profile_is_sound(r))
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
        profile_row_damaged(r, "rowid", "does not rise");
    if (r->n_read == PROFILE_NONE - 1)
        profile_row_damaged(r, "rowid", "is too many");
    *last = rowid;
}

static uint32_t hash_value(sqlite3_stmt *row, int column, uint32_t hash)
{
    const int type = sqlite3_column_type(row, column);
    double value;
    uint64_t bits;

    switch (type) {
    case SQLITE_INTEGER:
        return profile_hash_bits(hash, type, (uint64_t)sqlite3_column_int64(row, column));
    case SQLITE_FLOAT:
        value = sqlite3_column_double(row, column);
        memcpy(&bits, &value, sizeof bits);
        return profile_hash_bits(hash, type, bits);
    default: /* the pointer first, then the size */
        return profile_hash(hash, type, sqlite3_column_blob(row, column),
                            (size_t)sqlite3_column_bytes(row, column));
    }
}

static void check_sum(struct file_reader *r)
{
    if (profile_is_sound(r) && r->has_checksum && r->wanted_checksum != r->checksum + r->version)
        r->status = fail(r->err, ARMPMU_BAD_INPUT,
                         "'%s': its rows are not those that were written: it is damaged, or was "
                         "changed; " RECORD_AGAIN ", or after a change of yours run: sqlite3 FILE "
                         "\"DELETE FROM meta WHERE key = '" PROFILE_CHECKSUM_KEY "'\"",
                         r->path);
}

/* n_columns: without those that order the table. */
static void add_to_sum(struct file_reader *r, int n_columns)
{
    r->row_hash = HASH_START;
    for (int i = 0; i < n_columns; i++)
        r->row_hash = hash_value(r->row, i, r->row_hash);
    r->checksum += r->row_hash;
}

static void read_rows(struct file_reader *r, const struct profile_schema *table,
                      table_reader *read_row)
{
    const int n_keys = table->key != NULL && strchr(table->key, ',') != NULL ? 2 : 1;
    int64_t last = 0;
    int code = SQLITE_DONE;

    for (r->n_read = 0; profile_is_sound(r) && (code = sqlite3_step(r->row)) == SQLITE_ROW;
         r->n_read++) {
        if (table->key == NULL)
            check_rowid(r, &last);
        add_to_sum(r, sqlite3_column_count(r->row) - n_keys);
        read_row(r);
    }
    profile_note_sqlite(r, code);
}

static void read_table(struct file_reader *r, size_t number)
{
    const struct profile_schema *const table = &profile_schema[number];
    const char *const key = table->key != NULL ? table->key : "rowid";
    char sql[80];

    check_table(r, table);
    r->table = table->name;
    snprintf(sql, sizeof sql, "SELECT *, %s FROM \"%s\" ORDER BY %s", key, table->name, key);
    if (profile_is_sound(r) && (r->row = prepare(r, sql)) != NULL) {
        read_rows(r, table, tables[number].row);
        tables[number].end(r);
    }
    sqlite3_finalize(r->row);
    r->row = NULL;
}

static void read_database(struct file_reader *r)
{
    profile_note_sqlite(
        r, sqlite3_open_v2(":memory:", &r->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL));
    if (r->db != NULL) /* else there is no memory */
        sqlite3_limit(r->db, SQLITE_LIMIT_LENGTH, VALUE_BYTES_MAX);
    /* The bytes are not looked at yet: only memory can be missing, whatever SQLite calls it. */
    if (profile_is_sound(r) &&
        sqlite3_deserialize(r->db, "main", r->bytes, (sqlite3_int64)r->n_bytes,
                            (sqlite3_int64)r->n_bytes, SQLITE_DESERIALIZE_READONLY) != SQLITE_OK)
        profile_note_sqlite(r, SQLITE_NOMEM);
    for (size_t i = 0; i < sizeof tables / sizeof *tables && profile_is_sound(r); i++)
        if (r->version >= profile_schema[i].first && r->version <= profile_schema[i].last)
            read_table(r, i);
    check_sum(r);
    sqlite3_close(r->db);
}

enum armpmu_status profile_file_read(const char *path, struct profile **out,
                                     struct armpmu_error *err)
{
    struct file_reader r = {.path = path, .err = err};

    *out = NULL;
    r.status = profile_load_file(&r);
    if (profile_is_sound(&r))
        r.status = profile_check_file_header(&r);
    if (profile_is_sound(&r))
        r.status = profile_new(&r.profile, err);
    if (profile_is_sound(&r))
        read_database(&r);
    free(r.dense);
    free(r.tally);
    free(r.tallies);
    free(r.bytes);
    if (profile_is_sound(&r))
        *out = r.profile;
    else
        profile_free(r.profile);
    return r.status;
}
