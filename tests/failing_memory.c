#include "failing_memory.h"

#include <stdlib.h>

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__real_calloc(size_t n, size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
char *__real_strdup(const char *text);
char *__wrap_strdup(const char *text);
void __real_free(void *memory);
void __wrap_free(void *memory);

struct failing_memory failing_memory = {.left = MEMORY_FOR_ALL};

static bool fails_now(void)
{
    struct failing_memory *const m = &failing_memory;
    m->n_asked++;
    if (m->left == MEMORY_FOR_ALL)
        return false;
    if (m->left != 0) {
        m->left--;
        return false;
    }
    if (!m->fails_on)
        m->left = MEMORY_FOR_ALL;
    return true;
}

static void *held(void *memory)
{
    failing_memory.n_held += memory != NULL;
    return memory;
}

void *__wrap_malloc(size_t bytes)
{
    return fails_now() ? NULL : held(__real_malloc(bytes));
}

void *__wrap_calloc(size_t n, size_t bytes)
{
    return fails_now() ? NULL : held(__real_calloc(n, bytes));
}

void *__wrap_realloc(void *old, size_t bytes)
{
    if (fails_now())
        return NULL;
    return old != NULL ? __real_realloc(old, bytes) : held(__real_realloc(NULL, bytes));
}

char *__wrap_strdup(const char *text)
{
    return fails_now() ? NULL : held(__real_strdup(text));
}

void __wrap_free(void *memory)
{
    failing_memory.n_held -= memory != NULL;
    __real_free(memory);
}
