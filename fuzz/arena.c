#include "arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined __has_feature
#if __has_feature(address_sanitizer)
#define WITH_ASAN
#endif
#endif
#if defined WITH_ASAN || defined __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/lsan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(start, bytes)   ((void)(start), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(start, bytes) ((void)(start), (void)(bytes))
#define __lsan_disable()                          ((void)0)
#define __lsan_enable()                           ((void)0)
#endif

#define ARENA_BYTES ((size_t)256 << 20)
#define ALIGNMENT   ((size_t)16)
#define REDZONE     ((size_t)32) /* before each allocation; its size stands at the start */
#define FREED_MAX   1024
#define UNSET       0xa5 /* what malloc's memory holds */

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t n, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void __real_free(void *memory);
size_t __real_malloc_usable_size(void *memory);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void __wrap_free(void *memory);
size_t __wrap_malloc_usable_size(void *memory);

static struct {
    uint8_t *start;
    size_t used, marked;
    int file; /* holds what was marked */
    bool on;
    void *freed[FREED_MAX]; /* of what was marked, since the reset */
    size_t n_freed;
} arena;

/* The size of an allocation, in front of it: sanitizers must not mind. */
__attribute__((no_sanitize("address"))) static size_t *size_of(void *memory)
{
    return (size_t *)(void *)((uint8_t *)memory - REDZONE);
}

__attribute__((no_sanitize("address"))) static size_t read_size(void *memory)
{
    return *size_of(memory);
}

__attribute__((no_sanitize("address"))) static void write_size(void *memory, size_t bytes)
{
    *size_of(memory) = bytes;
}

static void map(int flags)
{
    void *const at = mmap(arena.start, ARENA_BYTES, PROT_READ | PROT_WRITE,
                          flags | (arena.start != NULL ? MAP_FIXED : 0), arena.file, 0);
    if (at == MAP_FAILED)
        abort();
    arena.start = at;
}

void arena_begin(void)
{
    if (arena.start == NULL) {
        arena.file = memfd_create("arena", MFD_CLOEXEC);
        if (arena.file < 0 || ftruncate(arena.file, (off_t)ARENA_BYTES) != 0)
            abort();
        map(MAP_SHARED);
        ASAN_POISON_MEMORY_REGION(arena.start, ARENA_BYTES);
    }
    arena.on = true;
    __lsan_disable(); /* nobody looks for pointers in the arena */
}

void arena_end(void)
{
    arena.on = false;
    __lsan_enable();
}

void arena_mark(void)
{
    arena.marked = arena.used;
    map(MAP_PRIVATE);
}

void arena_reset(void)
{
    ASAN_POISON_MEMORY_REGION(arena.start + arena.marked, arena.used - arena.marked);
    arena.used = arena.marked;
    if (madvise(arena.start, ARENA_BYTES, MADV_DONTNEED) != 0)
        abort();
    while (arena.n_freed != 0) {
        void *const memory = arena.freed[--arena.n_freed];
        ASAN_UNPOISON_MEMORY_REGION(memory, read_size(memory));
    }
}

static bool is_mine(const void *memory)
{
    return arena.start != NULL && (const uint8_t *)memory >= arena.start &&
           (const uint8_t *)memory < arena.start + ARENA_BYTES;
}

/* Zeroed, as all memory that nobody had since the reset. */
static void *take(size_t bytes)
{
    const size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + REDZONE;

    if (bytes > ARENA_BYTES || rounded > ARENA_BYTES - arena.used)
        return NULL;
    void *const memory = arena.start + arena.used + REDZONE;
    arena.used += rounded;
    write_size(memory, bytes);
    ASAN_UNPOISON_MEMORY_REGION(memory, bytes);
    return memory;
}

void *__wrap_malloc(size_t bytes)
{
    if (!arena.on)
        return __real_malloc(bytes);
    void *const memory = take(bytes);
    return memory != NULL ? memset(memory, UNSET, bytes) : NULL;
}

void *__wrap_calloc(size_t n, size_t bytes)
{
    size_t all;

    if (!arena.on)
        return __real_calloc(n, bytes);
    return __builtin_mul_overflow(n, bytes, &all) ? NULL : take(all);
}

void __wrap_free(void *memory)
{
    if (memory == NULL || !is_mine(memory)) {
        __real_free(memory);
        return;
    }
    if ((uint8_t *)memory < arena.start + arena.marked) {
        if (arena.n_freed == FREED_MAX)
            abort();
        arena.freed[arena.n_freed++] = memory;
    }
    ASAN_POISON_MEMORY_REGION(memory, read_size(memory));
}

size_t __wrap_malloc_usable_size(void *memory)
{
    return memory != NULL && is_mine(memory) ? read_size(memory)
                                             : __real_malloc_usable_size(memory);
}

void *__wrap_realloc(void *memory, size_t bytes)
{
    if (memory == NULL)
        return __wrap_malloc(bytes);
    if (!is_mine(memory))
        return __real_realloc(memory, bytes);
    void *const grown = __wrap_malloc(bytes);
    if (grown == NULL)
        return NULL;
    const size_t old = read_size(memory);
    memcpy(grown, memory, old < bytes ? old : bytes);
    __wrap_free(memory);
    return grown;
}
