#include "qemu/ring/guard.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static struct {
    uintptr_t start, page;
    size_t bytes; /* 0: no region */
    _Atomic bool lost;
    struct sigaction before;
} guard;

/* Puts an empty page where the bad one is; the access is then made again. */
static bool replace_page(uintptr_t address)
{
    if (address - guard.start >= guard.bytes)
        return false;
    void *const page = (void *)(address & ~(guard.page - 1));
    return mmap(page, guard.page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
                -1, 0) == page;
}

static void on_bus_error(int number, siginfo_t *info, void *context)
{
    const int saved = errno;

    (void)context;
    if (replace_page((uintptr_t)info->si_addr))
        atomic_store(&guard.lost, true);
    else
        sigaction(number, &guard.before, NULL); /* the access is made again and ends there */
    errno = saved;
}

void ring_guard_start(void *region, size_t bytes)
{
    struct sigaction action = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO};

    guard.start = (uintptr_t)region;
    guard.page = (uintptr_t)sysconf(_SC_PAGESIZE);
    guard.bytes = bytes;
    atomic_store(&guard.lost, false);
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, &guard.before);
}

bool ring_guard_lost(void)
{
    return atomic_load_explicit(&guard.lost, memory_order_relaxed);
}

void ring_guard_stop(void)
{
    if (guard.bytes == 0)
        return;
    sigaction(SIGBUS, &guard.before, NULL);
    guard.bytes = 0;
}
