#include "unicorn/unicorn_store_workaround.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "unicorn/library_version.h"

#define EXPORTED __attribute__((visibility("default")))

/* The library's own, NULL where none are needed. */
struct locks {
    void *(*lock)(void *uc, uint64_t first, uint64_t end);
    void (*unlock)(void *pages);
};

/* Of one processor of the library. first, end: of the pages. */
#define DEFINE_LOCKS(processor)                                                                    \
    EXPORTED void *page_collection_lock_##processor(void *uc, uint64_t first, uint64_t end);       \
    EXPORTED void page_collection_unlock_##processor(void *pages);                                 \
    static struct locks locks_##processor;                                                         \
                                                                                                   \
    void *page_collection_lock_##processor(void *uc, uint64_t first, uint64_t end)                 \
    {                                                                                              \
        return locks_##processor.lock != NULL ? locks_##processor.lock(uc, first, end) : NULL;     \
    }                                                                                              \
    void page_collection_unlock_##processor(void *pages)                                           \
    {                                                                                              \
        if (locks_##processor.unlock != NULL)                                                      \
            locks_##processor.unlock(pages);                                                       \
    }

DEFINE_LOCKS(arm)
DEFINE_LOCKS(aarch64)

static void find(void *handle, const char *name, void *function, size_t bytes)
{
    void *const found = dlsym(handle, name);

    memcpy(function, &found, bytes);
}

#define FIND_LOCKS(processor)                                                                      \
    find(handle, "page_collection_lock_" #processor, &locks_##processor.lock,                      \
         sizeof locks_##processor.lock);                                                           \
    find(handle, "page_collection_unlock_" #processor, &locks_##processor.unlock,                  \
         sizeof locks_##processor.unlock);

void unicorn_store_workaround_load(void *handle, uint32_t version)
{
    if (version < LIBRARY_VERSION(2, 1, 0))
        return;
    FIND_LOCKS(arm)
    FIND_LOCKS(aarch64)
}
