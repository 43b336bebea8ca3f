/* An LD_PRELOAD library: the n-th request for memory of a program fails, or all from the n-th on.
 *
 * Variables: FAULT_PROGRAM, the name of the program's file, of no other; FAULT_N, from 1, 0 for
 * none; FAULT_REST, "1" for all that follow too; FAULT_REPORT, a file for how many there were,
 * written at the end.
 *
 * Requests are malloc, calloc, realloc, memalign and its kin, and mmap, also of the C library
 * itself and of other libraries. Left alone is libunicorn, which ends the process by itself when
 * memory is short, and what comes before main(). */
#undef _FILE_OFFSET_BITS /* which would make mmap() another name of mmap64() */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static struct {
    bool active, rest;
    unsigned long wanted;
    atomic_ulong n;
} fault;

static __thread bool looking; /* dladdr() may ask for memory itself */

__attribute__((constructor)) static void begin(void)
{
    char self[4096];
    const char *const program = getenv("FAULT_PROGRAM"), *const n = getenv("FAULT_N"),
                      *const rest = getenv("FAULT_REST");
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    char *const name = length > 0 ? memrchr(self, '/', (size_t)length) : NULL;

    if (name == NULL || program == NULL || n == NULL)
        return;
    self[length] = '\0';
    fault.active = strcmp(name + 1, program) == 0;
    fault.wanted = strtoul(n, NULL, 10);
    fault.rest = rest != NULL && rest[0] == '1';
}

__attribute__((destructor)) static void end(void)
{
    const char *const path = getenv("FAULT_REPORT");
    char text[32];

    if (!fault.active || path == NULL)
        return;
    fault.active = false;
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    const int n = snprintf(text, sizeof text, "%lu", atomic_load(&fault.n));
    if (fd >= 0 && write(fd, text, (size_t)n) == n)
        close(fd);
}

#define CALLERS_MAX 4096u

/* Callers that were looked up, which takes long. One at each place, for good. */
static struct {
    _Atomic(const void *) caller;
    atomic_int alone; /* 0: not known yet, 1: no, 2: yes */
} callers[CALLERS_MAX];

static bool look_up(const void *caller)
{
    Dl_info info;

    looking = true;
    const bool alone = dladdr(caller, &info) != 0 && info.dli_fname != NULL &&
                       strstr(info.dli_fname, "libunicorn") != NULL;
    looking = false;
    return alone;
}

static bool is_left_alone(const void *caller)
{
    const size_t at = (uintptr_t)caller * UINT64_C(0x9e3779b97f4a7c15) >> 52;

    if (looking)
        return true;
    if (atomic_load(&callers[at].caller) == caller && atomic_load(&callers[at].alone) != 0)
        return atomic_load(&callers[at].alone) == 2;
    const bool alone = look_up(caller);
    const void *none = NULL;
    if (atomic_compare_exchange_strong(&callers[at].caller, &none, caller))
        atomic_store(&callers[at].alone, alone ? 2 : 1);
    return alone;
}

static bool fails(const void *caller)
{
    if (!fault.active || is_left_alone(caller))
        return false;
    const unsigned long n = atomic_fetch_add(&fault.n, 1) + 1;
    if (fault.wanted == 0 || n < fault.wanted || (n > fault.wanted && !fault.rest))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    /* Less of it is always there. */
    return size > 0 && fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    if (fails(__builtin_return_address(0)))
        return ENOMEM;
    *out = __libc_memalign(alignment, size);
    return *out != NULL ? 0 : ENOMEM;
}

void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
    if (fails(__builtin_return_address(0)))
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, address, length, protection, flags, fd, offset);
}

void *mmap64(void *address, size_t length, int protection, int flags, int fd, off_t offset)
    __attribute__((alias("mmap")));
