/* Machines that no Cortex-A8 can be are refused by name, value and limit. */
#include <string.h>

#include "../../test.h"
#include "../model.h"

static bool no_blocks(void *user, uint32_t id, struct armpmu_block_source *out)
{
    (void)user, (void)id, (void)out;
    return false;
}

/* Makes a core model of the default machine with one section changed; the message, "" if it works.
 */
static void message_of(const char *section, struct armpmu_error *err)
{
    struct armpmu_machine *machine = model_machine("odd", "cortex-a8", "%s", section);
    struct armpmu_code *code;
    struct armpmu_sim *sim;
    err->message[0] = '\0';
    assert_int_equal(armpmu_code_new(no_blocks, NULL, &code, err), ARMPMU_OK);
    if (armpmu_sim_new(machine, code, &sim, err) == ARMPMU_OK)
        armpmu_sim_free(sim);
    armpmu_code_free(code);
    armpmu_machine_free(machine);
}

TEST(geometry_outside_the_manual_is_refused)
{
    static const struct {
        int line;
        const char *section, *message;
    } cases[] = {
        {__LINE__, "[l1i]\nsize_kb = 64\n",
         "machine odd: l1i.size_kb = 64: a cortex-a8 has 1 to 32; change its file or --set"},
        {__LINE__, "[l1d]\nsize_kb = 64\n",
         "machine odd: l1d.size_kb = 64: a cortex-a8 has 1 to 32; change its file or --set"},
        {__LINE__, "[l1i]\nsize_kb = 32\n[l1d]\nsize_kb = 32\n", ""},
        {__LINE__, "[l1d]\nline_bytes = 32\n",
         "machine odd: l1d.line_bytes = 32: a cortex-a8 has 64 to 64; change its file or --set"},
        {__LINE__, "[l2]\nsize_kb = 2048\n",
         "machine odd: l2.size_kb = 2048: a cortex-a8 has 0 to 1024; change its file or --set"},
        {__LINE__, "[l2]\nfill_buffers = 16\n", ""},
        {__LINE__, "[l2]\nfill_buffers = 17\n",
         "machine odd: l2.fill_buffers = 17: a cortex-a8 has 1 to 16; change its file or --set"},
        {__LINE__, "[l2]\nsize_kb = 0\nline_bytes = 32\n", ""},
        {__LINE__, "[l2]\nsize_kb = 1024\n[l1d]\nsize_kb = 16\n", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct armpmu_error err;
        message_of(cases[i].section, &err);
        if (strcmp(err.message, cases[i].message) != 0)
            fail_msg("line %d: \"%s\"", cases[i].line, err.message);
    }
}
