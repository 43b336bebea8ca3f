/* Streams into memory: written text is complete and ends in NUL; a stream that ran out of memory
 * reports it, whichever function wrote and whatever was written later. */
#include "../test.h"

#include <stdlib.h>
#include <string.h>

#include "failing_memory.h"
#include "base/memory_stream.h"

#define PART    10000
#define N_PARTS 50

static char part[PART + 1];

static int make_part(void **state)
{
    (void)state;
    memset(part, 'x', PART);
    return 0;
}

static void write_parts(FILE *stream)
{
    for (int i = 0; i < N_PARTS; i++) {
        fwrite(part, 1, PART, stream);
        fprintf(stream, "%d%s", i % 10, part);
    }
}

TEST(what_is_written_is_there)
{
    char *text = NULL;
    size_t size = 1;
    FILE *const stream = memory_stream_open(&text, &size);

    assert_non_null(stream);
    assert_int_equal(ftell(stream), 0);
    write_parts(stream);
    assert_int_equal(ftell(stream), N_PARTS * (2 * PART + 1));
    assert_true(memory_stream_close(stream, &text));
    assert_int_equal(size, N_PARTS * (2 * PART + 1));
    assert_int_equal(strlen(text), size);
    for (int i = 0; i < N_PARTS; i++)
        assert_int_equal(text[i * (2 * PART + 1) + PART], '0' + i % 10);
    free(text);
}

TEST(text_that_fills_its_room_ends_in_nul)
{
    for (size_t n = 0; n < 20000; n += 1 + (n % 4096 < 4090) * 4000) {
        char *text = NULL;
        size_t size = 1;
        FILE *const stream = memory_stream_open(&text, &size);
        for (size_t i = 0; i < n; i++)
            fputc('y', stream);
        assert_true(memory_stream_close(stream, &text));
        assert_int_equal(size, n);
        assert_int_equal(strlen(text), n);
        free(text);
    }
}

/* Every allocation fails once, alone, so that what is written afterwards has memory again. */
TEST(a_part_without_memory_is_an_error)
{
    const int held = failing_memory.n_held;
    bool is_whole = false;

    for (unsigned left = 0; !is_whole; left++) {
        char *text = NULL;
        size_t size;
        failing_memory.left = left;
        FILE *const stream = memory_stream_open(&text, &size);
        if (stream != NULL) {
            write_parts(stream);
            is_whole = memory_stream_close(stream, &text);
        }
        assert_int_equal(is_whole, failing_memory.left != MEMORY_FOR_ALL);
        assert_int_equal(text != NULL, is_whole);
        free(text);
        assert_int_equal(failing_memory.n_held, held);
    }
    failing_memory.left = MEMORY_FOR_ALL;
}

TESTS_WITH(make_part, NULL)
