#include "cli/machine_text.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/memory_stream.h"

static void print(const struct armpmu_machine *machine, FILE *out)
{
    const char *key;

    fprintf(out, "core = %s\n", armpmu_machine_core(machine)->name);
    for (size_t i = 0; (key = armpmu_machine_key(i)) != NULL; i++) {
        const char *const value = armpmu_machine_value(machine, key);
        if (value != NULL)
            fprintf(out, "%s = %s\n", key, value);
    }
}

char *machine_text(const struct armpmu_machine *machine)
{
    char *text = NULL;
    size_t size;
    FILE *const stream = memory_stream_open(&text, &size);

    if (stream == NULL)
        return NULL;
    print(machine, stream);
    (void)memory_stream_close(stream, &text);
    return text;
}

void machine_hash(const char *text, char hash[MACHINE_HASH_SIZE])
{
    uint64_t n = UINT64_C(0xcbf29ce484222325);

    for (; *text != '\0'; text++)
        n = (n ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    snprintf(hash, MACHINE_HASH_SIZE, "%016" PRIx64, n);
}
