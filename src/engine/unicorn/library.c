#include "engine/unicorn/library.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "base/fail.h"
#include "engine/firmware.h"

#define FILE_NAME "libunicorn.so.2"

static struct library library;
static bool loaded;

static const struct {
    const char *name;
    size_t offset;
} functions[] = {
#define UNICORN(name, result, arguments) {"uc_" #name, offsetof(struct library, name)},
#include "engine/unicorn/library.def"
#undef UNICORN
};

enum armpmu_status engine_firmware_ready(struct armpmu_error *err)
{
    const struct library *unused;

    return library_load(&unused, err);
}

enum armpmu_status library_load(const struct library **out, struct armpmu_error *err)
{
    *out = &library;
    if (loaded)
        return ARMPMU_OK;
    void *const handle = dlopen(FILE_NAME, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "firmware runs on the Unicorn library, and " FILE_NAME " cannot be loaded: "
                    "install it (Debian: libunicorn2)");
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        void *const function = dlsym(handle, functions[i].name);
        if (function == NULL)
            return fail(err, ARMPMU_BAD_CONFIG, FILE_NAME " has no %s: install Unicorn 2.0.1",
                        functions[i].name);
        memcpy((char *)&library + functions[i].offset, &function, sizeof function);
    }
    loaded = true;
    return ARMPMU_OK;
}
