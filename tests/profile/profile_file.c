/* armpmu.data: what is written is read again; any other file is an error that says what it is. */
#include "../test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sqlite3.h>

#include "profile/profile_file.h"
#include "profile/sample.h"

static char path[] = "/tmp/armpmu-profile-XXXXXX";

struct bytes {
    char *at;
    size_t n;
};

static struct bytes written(const struct profile *p)
{
    struct bytes bytes;
    FILE *const stream = open_memstream(&bytes.at, &bytes.n);
    struct armpmu_error err = {""};

    assert_non_null(stream);
    assert_int_equal(profile_file_write(p, stream, &err), ARMPMU_OK);
    fclose(stream);
    return bytes;
}

static void put_file(const char *bytes, size_t n)
{
    FILE *const file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

static struct bytes put_sample(void)
{
    struct profile *const p = sample_profile();
    const struct bytes bytes = written(p);

    profile_free(p);
    put_file(bytes.at, bytes.n);
    return bytes;
}

/* Reads the file: a profile, or no profile and a message of one line that names the file. */
static enum armpmu_status read_it(struct profile **p, struct armpmu_error *err)
{
    *err = (struct armpmu_error){""};
    const enum armpmu_status status = profile_file_read(path, p, err);

    assert_int_equal(status == ARMPMU_OK, *p != NULL);
    if (status != ARMPMU_OK) {
        assert_non_null(strstr(err->message, path));
        assert_null(strchr(err->message, '\n'));
    }
    return status;
}

static void assert_refused(enum armpmu_status wanted, const char *part)
{
    struct profile *p;
    struct armpmu_error err;

    assert_int_equal(read_it(&p, &err), wanted);
    if (strstr(err.message, part) == NULL)
        fail_msg("'%s' lacks '%s'", err.message, part);
}

static void assert_same_text(const char *left, const char *right)
{
    assert_true((left == NULL) == (right == NULL));
    if (left != NULL)
        assert_string_equal(left, right);
}

TEST(what_is_written_is_read)
{
    const struct bytes first = put_sample();
    struct profile *p, *sample = sample_profile();
    struct armpmu_error err;

    if (read_it(&p, &err) != ARMPMU_OK)
        fail_msg("%s", err.message);
    const struct bytes second = written(p);
    assert_int_equal(first.n, second.n);
    assert_memory_equal(first.at, second.at, first.n);
    assert_same_text(p->setup.machine_text, sample->setup.machine_text);
    assert_int_equal(p->setup.exit_status, 3);
    assert_int_equal(p->setup.seed, 1);
    assert_true(p->setup.clock_mhz == 1000 && p->setup.is_complete && p->setup.has_paths);
#define TABLE(one, many) assert_int_equal(p->n_##many, sample->n_##many);
    PROFILE_TABLES(TABLE)
#undef TABLE
    for (size_t i = 0; i < p->n_insns; i++) {
        assert_int_equal(p->insns[i].address, sample->insns[i].address);
        assert_int_equal(p->insns[i].function, sample->insns[i].function);
        assert_int_equal(p->insns[i].line.file, sample->insns[i].line.file);
        assert_memory_equal(p->insns[i].bytes, sample->insns[i].bytes, 4);
    }
    for (size_t i = 0; i < p->n_counts; i++)
        assert_int_equal(p->counts[i].n, sample->counts[i].n);
    assert_memory_equal(p->totals, sample->totals, p->n_events * sizeof *p->totals);
    for (size_t i = 0; i < p->n_functions; i++) {
        assert_same_text(p->functions[i].name, sample->functions[i].name);
        assert_same_text(p->functions[i].symbol, sample->functions[i].symbol);
    }
    assert_null(p->objects[2].build_id);
    assert_int_equal(p->intervals[1].counts[2], 507);
    assert_int_equal(p->caches[0].n, 1007);
    assert_same_text(p->regions[0].name, sample->regions[0].name);
    assert_null(p->regions[1].name);
    assert_int_equal(p->misses[2].region, 1);
    assert_int_equal(p->misses[2].start_cycles, 4992);
    assert_int_equal(p->set_misses[2].set, 1);
    assert_int_equal(p->set_misses[3].region, PROFILE_NONE);
    assert_int_equal(p->n_edges, 3);
    assert_int_equal(p->edges[0].to, 2);
    assert_int_equal(p->edges[0].n, 40);
    assert_int_equal(p->edges[0].n_mispredicted, 3);
    assert_int_equal(p->edges[1].to, PROFILE_NONE);
    assert_int_equal(p->n_accesses, 2);
    for (size_t i = 0; i < p->n_accesses; i++) {
        const struct profile_access *const found = &p->accesses[i], *const was =
                                                                        &sample->accesses[i];
        assert_int_equal(found->thread, was->thread);
        assert_int_equal(found->insn, was->insn);
        assert_int_equal(found->datum, was->datum);
        assert_memory_equal(&found->of, &was->of, offsetof(struct armpmu_data_access, latency) + 1);
        assert_int_equal(found->of.bytes, was->of.bytes);
        assert_int_equal(found->of.allocation, was->of.allocation);
        assert_int_equal(found->of.offset, was->of.offset);
        assert_int_equal(found->of.offset_step, was->of.offset_step);
        assert_int_equal(found->member, was->member);
    }
    assert_int_equal(p->n_allocations, 1);
    assert_int_equal(p->allocations[0].insn, 2);
    assert_int_equal(p->allocations[0].path, 1);
    assert_int_equal(p->allocations[0].datum, 0);
    assert_false(p->allocations[0].is_mapped);
    assert_int_equal(p->allocations[0].n, 12);
    assert_int_equal(p->allocations[0].n_bytes, 384);
    assert_int_equal(p->allocations[0].smallest, 24);
    assert_int_equal(p->allocations[0].largest, 48);
    assert_same_text(p->members[0].type, "struct node");
    assert_same_text(p->members[0].name, "next");
    assert_int_equal(p->members[0].offset, 8);
    assert_int_equal(p->members[0].n_bytes, 4);
    assert_same_text(p->data[0].name, "nodes");
    assert_same_text(p->setup.access_latency, sample->setup.access_latency);
    profile_free(p);
    profile_free(sample);
    free(first.at);
    free(second.at);
}

TEST(extreme_numbers_are_kept)
{
    struct profile *p, *back;
    struct armpmu_error err;
    const struct profile_object object = {"o", NULL, UINT64_MAX, UINT64_MAX, NULL};
    const struct profile_insn insn = {.address = UINT64_MAX,
                                      .object = 0,
                                      .function = PROFILE_NONE,
                                      .line = {PROFILE_NONE, 0},
                                      .isa = ARMPMU_A64};
    const struct profile_event event = {"E", "m", "exact", "cycles", UINT32_MAX - 1};
    const struct profile_thread thread = {1, 1, NULL};
    const struct profile_setup setup = {.seed = UINT64_MAX};
    const uint64_t most = INT64_MAX;
    uint32_t n;

    assert_int_equal(profile_new(&p, &err), ARMPMU_OK);
    assert_int_equal(profile_set_setup(p, &setup, &err), ARMPMU_OK);
    assert_int_equal(profile_add_event(p, &event, &n, &err), ARMPMU_OK);
    assert_int_equal(profile_add_object(p, &object, &n, &err), ARMPMU_OK);
    assert_int_equal(profile_add_thread(p, &thread, &n, &err), ARMPMU_OK);
    assert_int_equal(profile_add_insn(p, &insn, &n, &err), ARMPMU_OK);
    assert_int_equal(profile_add_row(p, 0, 0, 0, &most, &err), ARMPMU_OK);
    const struct bytes bytes = written(p);
    put_file(bytes.at, bytes.n);
    if (read_it(&back, &err) != ARMPMU_OK)
        fail_msg("%s", err.message);
    assert_true(back->objects[0].bias == UINT64_MAX && back->insns[0].address == UINT64_MAX);
    assert_true(back->totals[0] == INT64_MAX && back->setup.seed == UINT64_MAX);
    assert_null(back->setup.core);
    assert_null(back->threads[0].name);
    profile_free(back);
    profile_free(p);
    free(bytes.at);
}

TEST(an_empty_profile_is_one)
{
    struct profile *p, *back;
    struct armpmu_error err;

    assert_int_equal(profile_new(&p, &err), ARMPMU_OK);
    const struct bytes bytes = written(p);
    put_file(bytes.at, bytes.n);
    assert_int_equal(read_it(&back, &err), ARMPMU_OK);
    assert_int_equal(back->n_paths, 1);
    profile_free(back);
    profile_free(p);
    free(bytes.at);
}

TEST(other_files_are_refused)
{
    const struct bytes sample = put_sample();
    struct profile *p;
    struct armpmu_error err;

    put_file("", 0);
    assert_refused(ARMPMU_BAD_INPUT, "is empty; record again");
    put_file("PERFILE2", 8);
    assert_refused(ARMPMU_BAD_INPUT, "not an SQLite database");
    put_file(sample.at, 99);
    assert_refused(ARMPMU_BAD_INPUT, "not an SQLite database");
    put_file(sample.at, sample.n);
    sample.at[63] = 7;
    put_file(sample.at, sample.n);
    assert_refused(ARMPMU_BAD_INPUT, "has schema version 7, this armpmu reads up to 6;");
    sample.at[63] = 0;
    put_file(sample.at, sample.n);
    assert_refused(ARMPMU_BAD_INPUT, "is damaged: schema version 0");
    sample.at[68] = 0;
    put_file(sample.at, sample.n);
    assert_refused(ARMPMU_BAD_INPUT, "of another program (application_id 0x52504d)");
    free(sample.at);
    assert_int_equal(profile_file_read("/tmp", &p, &err), ARMPMU_BAD_INPUT);
    assert_string_equal(err.message,
                        "'/tmp' is not a regular file; give one that 'armpmu record' wrote");
    assert_int_equal(profile_file_read("/nowhere/armpmu.data", &p, &err), ARMPMU_NOT_FOUND);
    assert_string_equal(err.message,
                        "cannot open '/nowhere/armpmu.data': No such file or directory; "
                        "'armpmu record' writes it");
}

#define UNCHECKED "DELETE FROM meta WHERE key = 'checksum';"

static void change(const char *sql)
{
    sqlite3 *db;
    char *problem = NULL;

    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &problem) != SQLITE_OK)
        fail_msg("%s: %s", sql, problem);
    sqlite3_close(db);
}

TEST(numbers_are_checked)
{
    static const struct {
        const char *sql, *message;
    } cases[] = {
        {"UPDATE meta SET value = 256 WHERE key = 'exit_status'", "meta 9: value is out of range"},
        {"UPDATE meta SET value = 'x' WHERE key = 'seed'", "value is no integer"},
        {"UPDATE meta SET value = 7 WHERE key = 'core'", "meta 1: value is not a text"},
        {"UPDATE event SET name = x'00'", "event 0: name is not a text"},
        {"UPDATE event SET name = 'a' || char(0)", "event 0: name is not a text"},
        {"UPDATE event SET number = -1", "event 0: number is out of range"},
        {"DELETE FROM event WHERE id = 1", "event 1: id is not the next number"},
        {"UPDATE event SET id = 9 WHERE id = 3", "event 3: id is not the next number"},
        {"UPDATE object SET path = 'x', bias = 0", "object 1: id is a second row of the same"},
        {"UPDATE object SET bias = 1.5", "object 0: bias is no integer"},
        {"UPDATE function SET object = 3", "function 0: object refers to nothing"},
        {"UPDATE function SET object = -1", "function 0: object refers to nothing"},
        {"UPDATE file SET path = 'x'", "file 1: id is a second row of the same"},
        {"UPDATE thread SET thread = 4294967296", "thread 0: thread is out of range"},
        {"UPDATE inline SET file = 2", "inline 0: file refers to nothing"},
        {"UPDATE insn SET bytes = x'010203'", "bytes are not those of an instruction"},
        {"UPDATE insn SET bytes = 'ab'", "insn 0: bytes are not those of an instruction"},
        {"UPDATE insn SET isa = 'T16'", "insn 0: isa is none of A32, T32 and A64"},
        {"UPDATE insn SET inlines = 3 WHERE id = 9", "insn 9: inlines are not there"},
        {"UPDATE insn SET first_inline = 4294967295, inlines = 2", "inlines are not there"},
        {"UPDATE insn SET function = 6 WHERE id = 4", "insn 4: function refers to nothing"},
        {"UPDATE path SET parent = id WHERE id = 4", "path 4: parent refers to nothing"},
        {"UPDATE path SET parent = NULL WHERE id = 4", "path 4: parent is no integer"},
        {"UPDATE path SET caller = 'x' WHERE id = 4", "path 4: caller is no integer"},
        {"UPDATE path SET caller = 0 WHERE id = 0", "path 0: caller is not NULL of the outermost"},
        {"UPDATE path SET calls = -1 WHERE id = 2", "path 2: calls is out of range"},
        {"UPDATE counts SET thread = 2 WHERE rowid = 5", "counts 4: thread refers to nothing"},
        {"UPDATE counts SET tally = 99 WHERE rowid = 5", "counts 4: tally refers to nothing"},
        {"UPDATE tally SET event = 4 WHERE id = 0 AND event = 0", "event refers to nothing"},
        {"UPDATE tally SET n = 0 WHERE id = 1", "n is 0"},
        {"UPDATE tally SET n = -5 WHERE id = 1", "n is out of range"},
        {"UPDATE tally SET n = 9223372036854775807 WHERE event = 0", "tally is too large"},
        {"UPDATE tally SET n = n + 1 WHERE id = 1", "n is not the sum of the counts"},
        {"DELETE FROM counts WHERE rowid = 5", "n is not the sum of the counts"},
        {"DELETE FROM tally WHERE id = 1", "id is not the next"},
        {"DELETE FROM tally", "counts 0: tally refers to nothing"},
        {"DELETE FROM counts; DELETE FROM tally", "n is not the sum of the counts"},
        {"DELETE FROM interval WHERE id = 1 AND event = 3", "interval 7: event is missing"},
        {"UPDATE interval SET end_cycles = 4 WHERE event = 3", "end_cycles differs within an"},
        {"UPDATE interval SET id = id + 4 WHERE event = 3",
         "event is not the next of its interval"},
        {"DELETE FROM total WHERE event = 3", "total 3: event is missing"},
        {"UPDATE cache SET sets = -1", "cache 0: sets is out of range"},
        {"UPDATE cache SET sets = 2000000", "cache 0: sets is too many"},
        {"UPDATE cache SET event = 4", "cache 0: event refers to nothing"},
        {"UPDATE cache SET region_bytes = 4095", "cache 0: region_bytes is no power of two"},
        {"UPDATE cache SET column_cycles = 0", "cache 0: column_cycles is no power of two"},
        {"UPDATE region SET address = address + 1", "region 0: address is not where a region"},
        {"UPDATE region SET address = 0", "region 1: address does not rise"},
        {"UPDATE region SET cache = 1", "region 0: cache refers to nothing"},
        {"UPDATE miss SET region = 3", "miss 0: region refers to nothing"},
        {"UPDATE miss SET start_cycles = 1", "miss 0: start_cycles is not where a column begins"},
        {"UPDATE miss SET start_cycles = 16384", "miss 0: start_cycles is not where a column"},
        {"UPDATE miss SET start_cycles = 0", "miss 1: start_cycles does not rise"},
        {"UPDATE miss SET n = 0", "miss 0: n is 0"},
        {"UPDATE miss SET n = 9223372036854775807", "miss 1: n is too large"},
        {"UPDATE set_miss SET set_number = 4", "set_miss 0: set_number refers to nothing"},
        {"UPDATE set_miss SET region = 3", "set_miss 0: region refers to nothing"},
        {"UPDATE edge SET n = 0, mispredicted = 0", "edge 0: n is 0, or less than mispredicted"},
        {"UPDATE edge SET mispredicted = 41 WHERE n = 40", "edge 0: n is 0, or less than"},
        {"UPDATE edge SET from_insn = 99", "edge 0: from_insn refers to nothing"},
        {"UPDATE edge SET to_insn = 2 WHERE n = 2", "edge 1: to_insn does not rise"},
        {"UPDATE access SET thread = 99", "access 0: thread refers to nothing"},
        {"UPDATE access SET datum = 1", "access 0: datum refers to nothing"},
        {"UPDATE access SET kind = 8", "access 0: kind"},
        {"UPDATE access SET source = 'L4'", "access 0: source is none of its words"},
        {"UPDATE access SET tlb = 'miss'", "access 0: tlb is none of its words"},
        {"UPDATE access SET sample = low - 1", "access 0: sample is outside of low and high"},
        {"UPDATE access SET n = -1", "access 0: n"},
        {"UPDATE place SET access = 3 WHERE access = 2", "place 1: access"},
        {"UPDATE place SET access = 0 WHERE access = 1", "place 0: access is no row"},
        {"UPDATE place SET bytes = 65536", "place 0: bytes"},
        {"UPDATE place SET allocation = 1", "place 0: allocation refers to nothing"},
        {"UPDATE place SET member = 1", "place 0: member refers to nothing"},
        {"UPDATE allocation SET datum = 1", "allocation 0: datum refers to nothing"},
        {"UPDATE allocation SET insn = 99", "allocation 0: insn refers to nothing"},
        {"UPDATE allocation SET path = 99", "allocation 0: path refers to nothing"},
        {"UPDATE allocation SET is_mapped = 2", "allocation 0: is_mapped"},
        {"UPDATE member SET id = 1", "member 0: id"},
        {"DELETE FROM set_miss WHERE n = 7", "set_miss 3: n does not add up to the misses"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        free(put_sample().at);
        change(cases[i].sql);
        assert_refused(ARMPMU_BAD_INPUT, "is damaged: ");
        assert_refused(ARMPMU_BAD_INPUT, cases[i].message);
        assert_refused(ARMPMU_BAD_INPUT, "; record again");
    }
}

/* As another build of armpmu may write them, while a schema is made. */
TEST(other_tables_are_refused)
{
    static const struct {
        const char *sql, *message;
    } cases[] = {
        {"DROP TABLE insn; CREATE VIEW insn AS SELECT 1", "its table insn is not that of schema"},
        {"ALTER TABLE counts ADD COLUMN more", "its table counts is not that of schema version 6"},
        {"DROP TABLE set_miss", "its table set_miss is not that of schema version 6"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        free(put_sample().at);
        change(cases[i].sql);
        assert_refused(ARMPMU_BAD_INPUT, cases[i].message);
        assert_refused(ARMPMU_BAD_INPUT, "or another build of armpmu wrote it");
        assert_refused(ARMPMU_BAD_INPUT, "; use that, or record again");
    }
}

#define BACK_TO_VERSION_5 "DROP TABLE place; DROP TABLE member; DROP TABLE allocation;"
#define BACK_TO_VERSION_4                                                                          \
    BACK_TO_VERSION_5 "DROP VIEW by_access; DROP TABLE access; DROP TABLE datum;"
#define BACK_TO_VERSION_3 BACK_TO_VERSION_4 "DROP TABLE edge;"

/* Up to version 2 each count had a row. */
#define BACK_TO_VERSION_2                                                                          \
    BACK_TO_VERSION_3                                                                              \
    "CREATE TABLE old AS SELECT * FROM count; DROP VIEW count; DROP TABLE counts;"                 \
    "DROP TABLE tally;"                                                                            \
    "CREATE TABLE count(\n"                                                                        \
    "  thread INTEGER NOT NULL REFERENCES thread,\n"                                               \
    "  path INTEGER NOT NULL REFERENCES path,\n"                                                   \
    "  insn INTEGER NOT NULL REFERENCES insn,\n"                                                   \
    "  event INTEGER NOT NULL REFERENCES event,\n"                                                 \
    "  n INTEGER NOT NULL -- never 0\n"                                                            \
    ");"                                                                                           \
    "INSERT INTO count SELECT * FROM old; DROP TABLE old;"

static void assert_is_read(size_t n_caches)
{
    struct profile *p;
    struct armpmu_error err;

    if (read_it(&p, &err) != ARMPMU_OK)
        fail_msg("%s", err.message);
    assert_int_equal(p->totals[2], 1007);
    assert_int_equal(p->n_rows, 18);
    assert_int_equal(p->n_caches, n_caches);
    profile_free(p);
}

TEST(older_versions_are_read)
{
    free(put_sample().at);
    change(UNCHECKED BACK_TO_VERSION_5 "PRAGMA user_version = 5");
    assert_is_read(1);
    free(put_sample().at);
    change(UNCHECKED BACK_TO_VERSION_4 "PRAGMA user_version = 4");
    assert_is_read(1);
    free(put_sample().at);
    change(UNCHECKED BACK_TO_VERSION_3 "PRAGMA user_version = 3");
    assert_is_read(1);
    free(put_sample().at);
    change(UNCHECKED BACK_TO_VERSION_2 "PRAGMA user_version = 2");
    assert_is_read(1);
    change("UPDATE count SET n = 0 WHERE rowid = 5");
    assert_refused(ARMPMU_BAD_INPUT, "count 4: n is 0");
}

TEST(version_1_has_no_misses)
{
    free(put_sample().at);
    change(UNCHECKED "DROP VIEW by_set; DROP VIEW by_region; DROP TABLE set_miss; DROP TABLE miss;"
                     "DROP TABLE region; DROP TABLE cache;" BACK_TO_VERSION_2
                     "PRAGMA user_version = 1");
    assert_is_read(0);
}

TEST(what_users_add_is_left_alone)
{
    struct profile *p;
    struct armpmu_error err;

    free(put_sample().at);
    change("CREATE TABLE notes (text); CREATE INDEX by_event ON tally (event); VACUUM;"
           "INSERT INTO meta VALUES ('title', 'mine'); PRAGMA journal_mode = WAL");
    if (read_it(&p, &err) != ARMPMU_OK)
        fail_msg("%s", err.message);
    assert_int_equal(p->n_rows, 18);
    profile_free(p);
}

/* Where each number could be right. */
TEST(changed_rows_are_refused)
{
    static const char *const cases[] = {
        "UPDATE insn SET line = line + 1 WHERE id = 4",
        "UPDATE path SET calls = calls + 1 WHERE id = 2",
        "UPDATE edge SET n = n + 1",
        "UPDATE access SET cycles = cycles + 1 WHERE rowid = 2",
        "UPDATE function SET name = 'other' WHERE id = 1",
        "UPDATE meta SET value = 2 WHERE key = 'seed'",
        "UPDATE meta SET key = 'sees' WHERE key = 'seed'",
        "DELETE FROM edge WHERE n = 2",
        "PRAGMA user_version = 5",
    };
    struct profile *p;
    struct armpmu_error err;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        free(put_sample().at);
        change(cases[i]);
        assert_refused(ARMPMU_BAD_INPUT, "its rows are not those that were written");
        assert_refused(ARMPMU_BAD_INPUT, "\"DELETE FROM meta WHERE key = 'checksum'\"");
        change(UNCHECKED);
        assert_int_equal(read_it(&p, &err), ARMPMU_OK);
        profile_free(p);
    }
}

TEST(parts_of_a_file_are_refused)
{
    const struct bytes sample = put_sample();

    for (size_t n = 256; n < sample.n; n += 1024) {
        put_file(sample.at, n);
        assert_refused(ARMPMU_BAD_INPUT, "");
    }
    free(sample.at);
}

/* A file with a changed bit is refused, unless all of its rows are as they were. */
TEST(changed_bits_are_found)
{
    const struct bytes sample = put_sample();
    struct profile *p;
    struct armpmu_error err;
    uint32_t random = 1;
    unsigned n_refused = 0;

    for (unsigned i = 0; i < 1500; i++) {
        random = random * 1664525 + 1013904223;
        char *const byte = &sample.at[(random >> 8) % sample.n];
        const char before = *byte;
        *byte = (char)(before ^ (1 << (random & 7)));
        put_file(sample.at, sample.n);
        if (read_it(&p, &err) == ARMPMU_OK) {
            const struct bytes same = written(p);
            *byte = before;
            assert_int_equal(same.n, sample.n);
            assert_memory_equal(same.at, sample.at, sample.n);
            free(same.at);
        } else {
            n_refused++;
        }
        profile_free(p);
        *byte = before;
    }
    assert_true(n_refused > 50);
    free(sample.at);
}

static int make_path(void **state)
{
    const int fd = mkstemp(path);

    (void)state;
    return fd < 0 ? -1 : close(fd);
}

static int remove_path(void **state)
{
    (void)state;
    return unlink(path);
}

TESTS_WITH(make_path, remove_path)
