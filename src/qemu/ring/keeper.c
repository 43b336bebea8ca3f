#include "qemu/ring/keeper.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Thread id in the upper half, descriptor in the lower; 0: nobody. */
static _Atomic uint64_t keeper;

void ring_keeper_hold(int descriptor)
{
    const unsigned fd = (unsigned)descriptor;

    if (syscall(SYS_close_range, fd + 1, ~0u, CLOSE_RANGE_UNSHARE) != 0)
        return;
    if (fd > 0)
        syscall(SYS_close_range, 0u, fd - 1, 0u);
    atomic_store(&keeper, (uint64_t)gettid() << 32 | fd);
}

int ring_keeper_open(void)
{
    const uint64_t held = atomic_load(&keeper);
    char path[64];

    if (held == 0)
        return -1;
    snprintf(path, sizeof path, "/proc/self/task/%u/fd/%u", (unsigned)(held >> 32), (unsigned)held);
    return open(path, O_RDWR | O_CLOEXEC);
}

void ring_keeper_forget(void)
{
    atomic_store(&keeper, 0);
}
