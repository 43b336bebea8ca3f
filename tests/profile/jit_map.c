/* Files in which programs name their code: what profile/jit_map.h says. tests/record/jit_map.py has
 * real programs. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../test.h"
#include "profile/jit_map.h"

/* That of this process, which no other writes. */
static const char *path(void)
{
    static char text[64];
    snprintf(text, sizeof text, "/tmp/perf-%d.map", (int)getpid());
    return text;
}

static void write_map(const char *text)
{
    (void)unlink(path());
    FILE *const file = fopen(path(), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static const char *name_at(const struct object_symbols *symbols, uint64_t address)
{
    return object_symbols_find(symbols, address).name;
}

static void load(struct jit_map *map, struct object_symbols *symbols)
{
    assert_true(jit_map_note(map, (int32_t)getpid()));
    assert_true(jit_map_note(map, (int32_t)getpid()));
    assert_int_equal(map->n_pids, 1);
    assert_true(jit_map_read(map));
    assert_true(jit_map_load(map, symbols));
    object_symbols_sort(symbols);
}

TEST(lines)
{
    struct jit_map map = {.since = time(NULL) - 100};
    struct object_symbols symbols = {0};
    write_map("ffff00001000 10 first\n"
              "0x2000 0x20 with blanks (and) more\n"
              "\n"
              "2000 20 the later counts\n"
              "2010 8 inside\n"
              "3000 10\n"
              "3000 10 \n"
              "3000 0 empty\n"
              "ffffffffffffffff 10 around\n"
              "  3000 10 indented\n"
              "-1 10 negative\n"
              "3000 zz no size\n"
              "4000 10 no end of line");
    load(&map, &symbols);
    assert_string_equal(name_at(&symbols, 0xffff00001004), "first");
    assert_string_equal(name_at(&symbols, 0x2000), "the later counts");
    assert_string_equal(name_at(&symbols, 0x200c), "the later counts");
    assert_string_equal(name_at(&symbols, 0x2010), "inside");
    assert_null(name_at(&symbols, 0x3000));
    assert_string_equal(name_at(&symbols, 0x4008), "no end of line");
    object_symbols_free(&symbols);
    jit_map_free(&map);
}

static void expect_none(struct jit_map map)
{
    struct object_symbols symbols = {0};
    load(&map, &symbols);
    assert_int_equal(map.n, 0);
    object_symbols_free(&symbols);
    jit_map_free(&map);
}

TEST(files_that_do_not_count)
{
    const struct timespec old[2] = {{.tv_sec = 1000000}, {.tv_sec = 1000000}};
    (void)unlink(path());
    expect_none((struct jit_map){0});
    write_map("1000 10 old\n");
    assert_int_equal(utimensat(AT_FDCWD, path(), old, 0), 0);
    expect_none((struct jit_map){.since = 1000001});
    assert_int_equal(unlink(path()), 0);
    assert_int_equal(symlink("/proc/self/maps", path()), 0);
    expect_none((struct jit_map){0});
    assert_int_equal(unlink(path()), 0);
    assert_int_equal(mkfifo(path(), 0600), 0);
    expect_none((struct jit_map){0});
    assert_int_equal(unlink(path()), 0);
    assert_int_equal(mkdir(path(), 0700), 0);
    expect_none((struct jit_map){0});
    assert_int_equal(rmdir(path()), 0);
}

TEST(processes_that_are_not_known)
{
    struct jit_map map = {0};
    assert_true(jit_map_note(&map, 0));
    assert_int_equal(map.n_pids, 0);
    jit_map_free(&map);
}

static int remove_file(void **state)
{
    (void)state;
    (void)unlink(path());
    return 0;
}

TESTS_WITH(NULL, remove_file)
