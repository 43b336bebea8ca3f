/* Checks of one column of a row at a time, and the messages for impossible values. */
#include "profile/profile_file_read.h"

#include <string.h>

#include "base/error.h"

/* ---- complaints ---- */

void profile_row_damaged(struct file_reader *r, const char *column, const char *what)
{
    if (profile_is_sound(r))
        r->status = fail(r->err, ARMPMU_BAD_INPUT, "'%s' is damaged: %s %u: %s %s; " RECORD_AGAIN,
                         r->path, r->table, r->n_read, column, what);
}

void profile_note_sqlite(struct file_reader *r, int code)
{
    if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE || !profile_is_sound(r))
        return;
    if (code == SQLITE_NOMEM)
        r->status = fail(r->err, ARMPMU_NO_MEMORY, "out of memory for '%s'", r->path);
    else
        r->status = fail(r->err, ARMPMU_BAD_INPUT, "'%s' is damaged: %s; " RECORD_AGAIN, r->path,
                         sqlite3_errstr(code));
}

/* ---- columns ---- */

bool profile_column_is_null(struct file_reader *r, int column)
{
    return sqlite3_column_type(r->row, column) == SQLITE_NULL;
}

uint64_t profile_column_any_number(struct file_reader *r, int column)
{
    if (sqlite3_column_type(r->row, column) != SQLITE_INTEGER)
        profile_row_damaged(r, sqlite3_column_name(r->row, column), "is no integer");
    return (uint64_t)sqlite3_column_int64(r->row, column);
}

uint64_t profile_column_number(struct file_reader *r, int column, uint64_t most)
{
    const uint64_t value = profile_column_any_number(r, column);

    if (value > most)
        profile_row_damaged(r, sqlite3_column_name(r->row, column), "is out of range");
    return profile_is_sound(r) ? value : 0;
}

uint32_t profile_column_number32(struct file_reader *r, int column)
{
    return (uint32_t)profile_column_number(r, column, UINT32_MAX);
}

uint64_t profile_column_count(struct file_reader *r, int column)
{
    return profile_column_number(r, column, INT64_MAX);
}

uint32_t profile_column_reference(struct file_reader *r, int column, size_t n)
{
    const uint64_t value = profile_column_any_number(r, column);

    if (value >= n)
        profile_row_damaged(r, sqlite3_column_name(r->row, column), "refers to nothing");
    return profile_is_sound(r) ? (uint32_t)value : 0;
}

uint32_t profile_column_reference_or_none(struct file_reader *r, int column, size_t n)
{
    return profile_column_is_null(r, column) ? PROFILE_NONE
                                             : profile_column_reference(r, column, n);
}

const char *profile_column_text(struct file_reader *r, int column)
{
    const char *const value = sqlite3_column_type(r->row, column) == SQLITE_TEXT
                                  ? (const char *)sqlite3_column_text(r->row, column)
                                  : NULL;

    if (value != NULL && strlen(value) == (size_t)sqlite3_column_bytes(r->row, column))
        return value;
    profile_row_damaged(r, sqlite3_column_name(r->row, column), "is not a text");
    return "";
}

const char *profile_column_text_or_null(struct file_reader *r, int column)
{
    return profile_column_is_null(r, column) ? NULL : profile_column_text(r, column);
}

struct profile_line profile_column_line(struct file_reader *r, int column)
{
    return (struct profile_line){profile_column_reference_or_none(r, column, r->profile->n_files),
                                 profile_column_number32(r, column + 1)};
}

/* ---- numbers of rows ---- */

void profile_check_row_id(struct file_reader *r, uint64_t id)
{
    if (id != r->n_read)
        profile_row_damaged(r, "id", "is not the next number");
}

void profile_row_added(struct file_reader *r, enum armpmu_status status, const uint32_t *number)
{
    if (status != ARMPMU_OK)
        r->status = status;
    else if (*number != r->n_read)
        profile_row_damaged(r, "id", "is a second row of the same");
}
