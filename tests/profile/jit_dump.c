/* Files in which programs describe their code: what profile/jit_dump.h says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../test.h"
#include "profile/jit_dump.h"

static FILE *file;

static void put32(uint32_t n)
{
    fwrite(&n, sizeof n, 1, file);
}

static void put64(uint64_t n)
{
    fwrite(&n, sizeof n, 1, file);
}

static void put_prefix(uint32_t kind, size_t n_bytes)
{
    put32(kind);
    put32((uint32_t)n_bytes);
    put64(0);
}

static void open_dump(const char *path)
{
    file = fopen(path, "w");
    assert_non_null(file);
    put32(0x4a695444);
    put32(1);
    put32(40);
    put32(183);
    put64(0);
    put64(0);
    put64(0);
}

/* Code of n_bytes, which follows the name. */
static void put_load(uint64_t address, uint64_t n_bytes, const char *name)
{
    put_prefix(0, 56 + strlen(name) + 1 + n_bytes);
    put64(0);
    put64(address);
    put64(address);
    put64(n_bytes);
    put64(7);
    fputs(name, file);
    for (uint64_t i = 0; i <= n_bytes; i++)
        fputc(0, file);
}

static void put_move(uint64_t from, uint64_t to, uint64_t n_bytes)
{
    put_prefix(1, 64);
    put64(0);
    put64(to);
    put64(from);
    put64(to);
    put64(n_bytes);
    put64(7);
}

static void load(struct jit_map *map, struct object_symbols *symbols)
{
    *map = (struct jit_map){.since = time(NULL) - 100};
    *symbols = (struct object_symbols){0};
    assert_true(jit_map_note(map, (int32_t)getpid()));
    assert_true(jit_dump_read(map));
    assert_true(jit_map_load(map, symbols));
    object_symbols_sort(symbols);
}

static void expect(uint64_t address, const char *name)
{
    struct jit_map map;
    struct object_symbols symbols;

    load(&map, &symbols);
    const char *const found = object_symbols_find(&symbols, address).name;
    if (name == NULL)
        assert_null(found);
    else
        assert_string_equal(found, name);
    object_symbols_free(&symbols);
    jit_map_free(&map);
}

static char path[64];

TEST(records_have_names)
{
    open_dump(path);
    put_load(0x1000, 16, "first()");
    put_prefix(2, 24); /* lines of source */
    put64(0);
    put_load(0x2000, 32, "second");
    put_move(0x2000, 0x3000, 32);
    put_move(0x9000, 0x4000, 32); /* of nothing */
    put_load(0x1000, 8, "again");
    fclose(file);
    expect(0x1004, "again");
    expect(0x1008, NULL);
    expect(0x201f, "second");
    expect(0x3010, "second");
    expect(0x4000, NULL);
}

TEST(parts_are_read)
{
    struct stat status;
    open_dump(path);
    put_load(0x1000, 16, "whole");
    put_load(0x2000, 16, "part");
    fclose(file);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(truncate(path, status.st_size - 1), 0);
    expect(0x1000, "whole");
    expect(0x2000, NULL);
    for (off_t n = 0; n < status.st_size; n++) {
        assert_int_equal(truncate(path, status.st_size - 1 - n), 0);
        expect(0x2000, NULL);
    }
}

TEST(other_files_add_nothing)
{
    open_dump(path);
    put_load(0x1000, 16, "good");
    put_prefix(0, 8); /* shorter than itself */
    put_load(0x2000, 16, "after");
    fclose(file);
    expect(0x1000, "good");
    expect(0x2000, NULL);
    file = fopen(path, "r+");
    put32(0x4454694a); /* of the other byte order */
    fclose(file);
    expect(0x1000, NULL);
}

/* As JVMs have it. */
TEST(the_cache_is_looked_at)
{
    char folder[] = "/tmp/jit-dump-XXXXXX", text[256];
    static const char *const parts[] = {"", "/.debug", "/.debug/jit", "/.debug/jit/java-1"};

    (void)unlink(path);
    assert_non_null(mkdtemp(folder));
    for (int i = 1; i < 4; i++) {
        snprintf(text, sizeof text, "%s%s", folder, parts[i]);
        assert_int_equal(mkdir(text, 0700), 0);
    }
    snprintf(text, sizeof text, "%s%s/jit-%d.dump", folder, parts[3], (int)getpid());
    open_dump(text);
    put_load(0x5000, 16, "java");
    fclose(file);
    expect(0x5000, NULL);
    assert_int_equal(setenv("JITDUMPDIR", folder, 1), 0);
    expect(0x5000, "java");
    assert_int_equal(unlink(text), 0);
    for (int i = 4; i-- > 0;) {
        snprintf(text, sizeof text, "%s%s", folder, parts[i]);
        assert_int_equal(rmdir(text), 0);
    }
}

static int choose_path(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/jit-%d.dump", (int)getpid());
    return 0;
}

static int remove_file(void **state)
{
    (void)state;
    (void)unlink(path);
    return 0;
}

TESTS_WITH(choose_path, remove_file)
