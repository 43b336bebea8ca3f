/* Rows of the setup and of what other rows refer to by number: events, threads, code, paths. */
#include "profile/profile_file_read.h"

#include <string.h>

#include "profile/profile_schema.h"

#define EVENTS_MAX 4096

static void read_meta_text(struct file_reader *r, const char **value)
{
    const char *own = profile_column_text(r, 1);

    if (profile_is_sound(r))
        r->status = profile_own_text(r->profile, &own, r->err);
    if (profile_is_sound(r))
        *value = own;
}

/* Returns whether the key is one of these. */
static bool read_meta_number(struct file_reader *r, const char *key)
{
    struct profile_setup *const setup = &r->profile->setup;

    if (strcmp(key, "clock_mhz") == 0)
        setup->clock_mhz = sqlite3_column_double(r->row, 1);
    else if (strcmp(key, "seed") == 0)
        setup->seed = profile_column_any_number(r, 1);
    else if (strcmp(key, "exit_status") == 0)
        setup->exit_status = (int)profile_column_number(r, 1, 255);
    else if (strcmp(key, "is_complete") == 0)
        setup->is_complete = profile_column_number(r, 1, 1) != 0;
    else if (strcmp(key, "has_paths") == 0)
        setup->has_paths = profile_column_number(r, 1, 1) != 0;
    else if (strcmp(key, "lacks_paths") == 0)
        setup->lacks_paths = (enum profile_lack)profile_column_number(r, 1, PATHS_LOST);
    else
        return false;
    return true;
}

/* Not a part of itself, like the rows of keys that users add. */
static void read_meta_checksum(struct file_reader *r, const char *key)
{
    r->checksum -= r->row_hash;
    if (strcmp(key, PROFILE_CHECKSUM_KEY) != 0)
        return;
    r->has_checksum = true;
    r->wanted_checksum = profile_column_any_number(r, 1);
}

void profile_read_meta_row(struct file_reader *r)
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
        {"access_latency", &setup->access_latency},
    };
    const char *const key = profile_column_text(r, 0), **value = NULL;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(key, texts[i].key) == 0)
            value = texts[i].value;
    for (size_t i = 0; i < VERSIONS; i++)
        if (strcmp(key, version_keys[i]) == 0)
            value = &setup->versions[i];
    if (value != NULL)
        read_meta_text(r, value);
    else if (!read_meta_number(r, key))
        read_meta_checksum(r, key);
}

void profile_read_event_row(struct file_reader *r)
{
    const struct profile_event event = {.name = profile_column_text(r, 1),
                                        .number = profile_column_number32(r, 2),
                                        .unit = profile_column_text(r, 3),
                                        .fidelity = profile_column_text(r, 4),
                                        .meaning = profile_column_text(r, 5)};

    if (r->n_read >= EVENTS_MAX)
        profile_row_damaged(r, "id", "is too many events");
    ADD_ROW(r, profile_add_event, &event);
}

void profile_read_object_row(struct file_reader *r)
{
    const struct profile_object object = {
        profile_column_text(r, 1), profile_column_text_or_null(r, 2),
        profile_column_any_number(r, 3), profile_column_any_number(r, 4), NULL};

    ADD_ROW(r, profile_add_object, &object);
}

void profile_read_function_row(struct file_reader *r)
{
    const struct profile_function function = {
        profile_column_reference_or_none(r, 1, r->profile->n_objects),
        profile_column_any_number(r, 2), profile_column_any_number(r, 3), profile_column_text(r, 4),
        profile_column_text(r, 5)};

    ADD_ROW(r, profile_add_function, &function);
}

void profile_read_file_row(struct file_reader *r)
{
    const char *const path = profile_column_text(r, 1);

    ADD_ROW(r, profile_add_file, path);
}

void profile_read_thread_row(struct file_reader *r)
{
    const struct profile_thread thread = {profile_column_number32(r, 1),
                                          profile_column_number32(r, 2),
                                          profile_column_text_or_null(r, 3)};

    ADD_ROW(r, profile_add_thread, &thread);
}

void profile_read_inline_row(struct file_reader *r)
{
    const struct profile_inline inlined = {profile_column_text(r, 1), profile_column_line(r, 2)};

    ADD_ROW(r, profile_add_inline, &inlined);
}

static enum armpmu_isa isa(struct file_reader *r, int column)
{
    const char *const name = profile_column_text(r, column);

    for (enum armpmu_isa i = ARMPMU_A32; i <= ARMPMU_A64; i++)
        if (strcmp(profile_isa_name(i), name) == 0)
            return i;
    profile_row_damaged(r, "isa", "is none of A32, T32 and A64");
    return ARMPMU_A32;
}

static void insn_bytes(struct file_reader *r, int column, struct profile_insn *insn)
{
    const void *const bytes = sqlite3_column_blob(r->row, column);
    const int n = sqlite3_column_bytes(r->row, column);

    if (sqlite3_column_type(r->row, column) != SQLITE_BLOB || (n != 0 && n != 2 && n != 4))
        profile_row_damaged(r, "bytes", "are not those of an instruction");
    else if (n != 0)
        memcpy(insn->bytes, bytes, (size_t)n);
    insn->n_bytes = (uint8_t)n;
}

void profile_read_insn_row(struct file_reader *r)
{
    const struct profile *const p = r->profile;
    struct profile_insn insn = {.address = profile_column_any_number(r, 1),
                                .object = profile_column_reference_or_none(r, 2, p->n_objects),
                                .function = profile_column_reference_or_none(r, 3, p->n_functions),
                                .line = profile_column_line(r, 4),
                                .first_inline = profile_column_number32(r, 6),
                                .n_inlines = profile_column_number32(r, 7),
                                .isa = isa(r, 8)};

    insn_bytes(r, 9, &insn);
    if (insn.first_inline > p->n_inlines || insn.n_inlines > p->n_inlines - insn.first_inline)
        profile_row_damaged(r, "inlines", "are not there");
    ADD_ROW(r, profile_add_insn, &insn);
}

static void read_root(struct file_reader *r)
{
    for (int column = 1; column <= 3; column++)
        if (!profile_column_is_null(r, column))
            profile_row_damaged(r, sqlite3_column_name(r->row, column),
                                "is not NULL of the outermost path");
    r->profile->paths[PROFILE_ROOT].n_calls = profile_column_count(r, 4);
}

void profile_read_path_row(struct file_reader *r)
{

    if (r->n_read == PROFILE_ROOT) {
        read_root(r);
        return;
    }
    const struct profile_path path = {profile_column_reference(r, 1, r->n_read),
                                      profile_column_reference_or_none(r, 2, r->profile->n_insns),
                                      profile_column_reference(r, 3, r->profile->n_functions),
                                      profile_column_count(r, 4)};
    ADD_ROW(r, profile_add_path, &path);
}
