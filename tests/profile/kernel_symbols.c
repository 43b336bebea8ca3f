/* Lists of kernel symbols: the function and module of an address, and the messages for files that
 * are no such list. */
#include "../test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profile/kernel_symbols.h"

/* Writes a file of the text, whose name the caller frees. */
static char *file_of(const char *text, size_t n)
{
    char name[] = "/tmp/armpmu-kernel-symbols-XXXXXX";
    const int fd = mkstemp(name);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, n), n);
    close(fd);
    return strdup(name);
}

static enum armpmu_status read_text(const char *text, size_t n, bool is_64,
                                    struct kernel_symbols *out, struct armpmu_error *err)
{
    char *const name = file_of(text, n);
    const enum armpmu_status status = kernel_symbols_read(name, is_64, out, err);

    unlink(name);
    free(name);
    return status;
}

static const char list[] = "c0101000 T memset\n"
                           "c0101000 W __memset\n"
                           "c0101000 t local\n"
                           "c0100000 T _stext\r\n"
                           "c0101040 t $a\n"
                           "c0101080 t strlen\n"
                           "c0900000 D jiffies\n"
                           "c0900000 d also\n"
                           "c0900040 b last\n"
                           "bf002000 d cfi_state\t[cfi_cmdset_0001]\n"
                           "00000000 A absolute\n"
                           "bf000000 t cfi_probe\t[cfi_cmdset_0001]\n"
                           "bf000100 t cfi_read\t[cfi_cmdset_0001]\n"
                           "bf004000 t virtio_init [virtio]\n";

static void expect(struct kernel_symbols *symbols, uint64_t address, const char *module,
                   const char *function)
{
    const uint32_t number = kernel_symbols_module(symbols, address);
    struct object_symbols object = {.n_symbols = 0};

    if (module == NULL) {
        assert_int_equal(number, KERNEL_SYMBOLS_NONE);
        return;
    }
    assert_string_equal(number == 0 ? "" : symbols->names[number - 1], module);
    assert_true(kernel_symbols_load(symbols, number, &object));
    assert_string_equal(object_symbols_find(&object, address).name, function);
    object_symbols_free(&object);
}

TEST(addresses_have_functions)
{
    struct kernel_symbols symbols = {.n = 0};
    struct armpmu_error err;

    assert_int_equal(read_text(list, sizeof list - 1, false, &symbols, &err), ARMPMU_OK);
    expect(&symbols, 0xc0100ffc, "", "_stext");
    expect(&symbols, 0xc0101000, "", "memset"); /* the shortest of the global ones */
    expect(&symbols, 0xc010107c, "", "memset"); /* no mark of the assembler ends it */
    expect(&symbols, 0xc0101080, "", "strlen");
    expect(&symbols, 0xc0111080, NULL, NULL); /* too far from any */
    expect(&symbols, 0xc0900000, NULL, NULL); /* data */
    expect(&symbols, 0xbf0000fc, "cfi_cmdset_0001", "cfi_probe");
    expect(&symbols, 0xbf000100, "cfi_cmdset_0001", "cfi_read");
    expect(&symbols, 0xbf004000, "virtio", "virtio_init");
    expect(&symbols, 0xbeffffff, NULL, NULL);
    kernel_symbols_free(&symbols);
}

struct found {
    char text[200];
};

static bool add(void *user, const char *name, bool is_section, uint64_t start, uint64_t n_bytes)
{
    struct found *const found = user;
    const size_t n = strlen(found->text);

    assert_false(is_section);
    snprintf(found->text + n, sizeof found->text - n, "%s %llx+%llx, ", name,
             (unsigned long long)start, (unsigned long long)n_bytes);
    return true;
}

/* Each reaches to the next address that has one, the last 64 KB on. */
TEST(variables_have_sizes)
{
    struct kernel_symbols symbols = {.n = 0};
    struct found kernel = {""}, module = {""};
    struct armpmu_error err;

    assert_int_equal(read_text(list, sizeof list - 1, false, &symbols, &err), ARMPMU_OK);
    assert_true(kernel_symbols_each_variable(&symbols, 0, add, &kernel));
    assert_true(kernel_symbols_each_variable(&symbols, 1, add, &module));
    assert_string_equal(kernel.text,
                        "jiffies c0900000+40, also c0900000+40, last c0900040+10000, ");
    assert_string_equal(module.text, "cfi_state bf002000+10000, ");
    kernel_symbols_free(&symbols);
    assert_int_equal(read_text("c0e00000 D _etext\nc0101000 T memset\n", 36, false, &symbols, &err),
                     ARMPMU_OK);
    assert_int_equal(symbols.n_variables, 0);
    kernel_symbols_free(&symbols);
}

TEST(what_is_no_list_is_refused)
{
    static const struct {
        const char *text, *said;
        size_t n;
        bool is_64;
    } cases[] = {
        {"", "names no code: it is neither a System.map", 0, false},
        {"c0101000 T memset\nc01010", "ends in the middle of a line: it is truncated", 24, false},
        {"c0101000 T\n", "line 1, 'c0101000': not ADDRESS TYPE NAME", 11, false},
        {"c0101000 T memset\nroot:x:0\n", "line 2, 'root:x:0': not ADDRESS", 27, false},
        {"c0101000 T memset\n", "0xc0101000 is not an address of a 64-bit kernel", 18, true},
        {"ffffffc008010000 T _text\n", "0xffffffc008010000 is not an address of a 32-bit kernel",
         25, false},
        {"00000000 T memset\n00000000 t local\n", "all its addresses are 0: read /proc/kallsyms",
         35, false},
        {"\177ELF\1\0\0", "is not a text: it has a byte of 0; name a System.map", 7, false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct kernel_symbols symbols = {.n = 0};
        struct armpmu_error err = {""};
        assert_int_equal(read_text(cases[i].text, cases[i].n, cases[i].is_64, &symbols, &err),
                         ARMPMU_BAD_INPUT);
        if (strstr(err.message, cases[i].said) == NULL)
            fail_msg("%s", err.message);
        kernel_symbols_free(&symbols);
    }
}

TEST(files_that_are_not_there)
{
    struct kernel_symbols symbols = {.n = 0};
    struct armpmu_error err;

    assert_int_equal(kernel_symbols_read("/nowhere/kallsyms", false, &symbols, &err),
                     ARMPMU_NOT_FOUND);
    assert_string_equal(err.message,
                        "cannot read '/nowhere/kallsyms': No such file or directory; name a "
                        "System.map or a text of /proc/kallsyms");
    assert_int_equal(kernel_symbols_read("/", false, &symbols, &err), ARMPMU_NOT_ALLOWED);
    kernel_symbols_free(&symbols);
}
