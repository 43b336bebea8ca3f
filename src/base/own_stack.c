#include "base/own_stack.h"

#include <pthread.h>
#include <sys/resource.h>

#include "base/error.h"

#define OWN_STACK_BYTES (1u << 20)

static struct rlimit before; /* rlim_cur 0: it was not changed */

/* The size was read from the limit before main(). */
static void grow_threads(void)
{
    pthread_attr_t attributes;

    if (pthread_attr_init(&attributes) != 0)
        return;
    pthread_attr_setstacksize(&attributes, OWN_STACK_BYTES);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
}

enum armpmu_status own_stack_grow(struct armpmu_error *err)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= OWN_STACK_BYTES)
        return ARMPMU_OK;
    before = limit;
    limit.rlim_cur = OWN_STACK_BYTES;
    if (limit.rlim_max < OWN_STACK_BYTES || setrlimit(RLIMIT_STACK, &limit) != 0)
        return fail(err, ARMPMU_NO_MEMORY,
                    "the limit of the stack is %llu KB, but armpmu needs %u: raise it with "
                    "'ulimit -s %u'",
                    (unsigned long long)limit.rlim_max >> 10, OWN_STACK_BYTES >> 10,
                    OWN_STACK_BYTES >> 10);
    grow_threads();
    return ARMPMU_OK;
}

void own_stack_leave(void)
{
    if (before.rlim_cur != 0)
        setrlimit(RLIMIT_STACK, &before);
}
