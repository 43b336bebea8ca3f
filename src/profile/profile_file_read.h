/* The state of the reader of armpmu.data, shared by its files: bytes, tables, rows and columns.
 * Only the first failure has a message; profile_is_sound says whether there was one. */
#ifndef PROFILE_PROFILE_FILE_READ_H
#define PROFILE_PROFILE_FILE_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sqlite3.h>

#include "armpmu/status.h"
#include "profile/profile.h"

#define RECORD_AGAIN "record again"

struct file_reader {
    const char *path;
    unsigned char *bytes; /* the whole file */
    size_t n_bytes;
    uint32_t version; /* of its schema */
    sqlite3 *db;
    sqlite3_stmt *row; /* of the table that is read */
    const char *table;
    uint32_t n_read;             /* rows of it, before this one */
    uint64_t *dense;             /* n_events: counts of a row of the profile, or of an interval */
    struct profile_row counted;  /* whose counts dense has; n_counts 0: none */
    struct profile_count *tally; /* rows of the table tally */
    uint32_t *tallies;           /* of each id the first of its rows, and of one more */
    size_t n_tally, tally_room, n_tallies, tallies_room;
    uint32_t row_hash; /* of this row ... */
    uint64_t checksum; /* ... of all rows so far, and as it should be where it is known */
    uint64_t wanted_checksum;
    bool has_checksum;
    uint64_t end_cycles; /* of the interval whose counts dense has */
    struct profile *profile;
    enum armpmu_status status; /* the first that was not ARMPMU_OK */
    struct armpmu_error *err;
};

static inline bool profile_is_sound(const struct file_reader *r)
{
    return r->status == ARMPMU_OK;
}

/* ---- profile_file_load.c ---- */

/* Fills r->bytes, which the caller frees in any case. Returns as profile_file_read. */
ARMPMU_MUST_USE enum armpmu_status profile_load_file(struct file_reader *r);

/* Checks that the bytes are a profile of a version that can be read. Returns as
 * profile_file_read. */
ARMPMU_MUST_USE enum armpmu_status profile_check_file_header(struct file_reader *r);

/* ---- profile_file_columns.c ---- */

/* The message of a row that cannot be. */
void profile_row_damaged(struct file_reader *r, const char *column, const char *what);

/* The problem that SQLite reported. */
void profile_note_sqlite(struct file_reader *r, int code);

/* A column of the row, which is damaged where the value is of another type or out of range. */
bool profile_column_is_null(struct file_reader *r, int column);
uint64_t profile_column_any_number(struct file_reader *r, int column);
uint64_t profile_column_number(struct file_reader *r, int column, uint64_t most);
uint32_t profile_column_number32(struct file_reader *r, int column);
uint64_t profile_column_count(struct file_reader *r, int column);
const char *profile_column_text(struct file_reader *r, int column);
const char *profile_column_text_or_null(struct file_reader *r, int column);
struct profile_line profile_column_line(struct file_reader *r, int column);

/* The number of one of n things. */
uint32_t profile_column_reference(struct file_reader *r, int column, size_t n);
uint32_t profile_column_reference_or_none(struct file_reader *r, int column, size_t n);

void profile_check_row_id(struct file_reader *r, uint64_t id);

/* status of what was added as a number: things have the number of their row, no two are the same.
 */
void profile_row_added(struct file_reader *r, enum armpmu_status status, const uint32_t *number);

/* Adds what the row describes, where it is sound. */
#define ADD_ROW(r, add, item)                                                                      \
    do {                                                                                           \
        uint32_t as;                                                                               \
        profile_check_row_id(r, profile_column_any_number(r, 0));                                  \
        if (profile_is_sound(r))                                                                   \
            profile_row_added(r, add((r)->profile, item, &as, (r)->err), &as);                     \
    } while (0)

/* A row of a table, or the end of one. */
typedef void table_reader(struct file_reader *r);

/* ---- profile_file_rows.c ---- */

table_reader profile_read_meta_row, profile_read_event_row, profile_read_object_row,
    profile_read_function_row, profile_read_file_row, profile_read_thread_row,
    profile_read_inline_row, profile_read_insn_row, profile_read_path_row;

/* ---- profile_file_counts.c ---- */

table_reader profile_make_room_for_counts, profile_read_count_row, profile_add_counted,
    profile_read_tally_row, profile_end_tallies, profile_read_counts_row, profile_read_interval_row,
    profile_end_intervals, profile_read_total_row, profile_end_totals, profile_read_edge_row;

/* ---- profile_file_misses.c ---- */

table_reader profile_read_cache_row, profile_read_region_row, profile_read_miss_row,
    profile_read_set_miss_row, profile_end_set_misses, profile_read_datum_row,
    profile_read_access_row, profile_read_allocation_row, profile_read_member_row,
    profile_read_place_row;

#endif
