/* Makes what firmware runs on: the image, the core, models, processor and board, each from the one
 * before it. */
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory_limits.h"
#include "machine/later_core.h"
#include "unicorn/aarch64.h"
#include "unicorn/board.h"
#include "unicorn/code_block.h"
#include "unicorn/early_accesses.h"
#include "unicorn/firmware.h"
#include "unicorn/limits.h"
#include "unicorn/overwritten.h"
#include "unicorn/page_records.h"
#include "unicorn/raw_image.h"
#include "unicorn/semihosting.h"
#include "unicorn/stimulus.h"
#include "unicorn/trace_writer.h"
#include "unicorn/vcd.h"
#include "unicorn/workarounds.h"

static bool executes(const struct core_descriptor *core, const void *image)
{
    const bool is_64 = core->emulator.elf_class == ELFCLASS64;

    return core->firmware.cpu != NULL && is_64 == ((const struct image *)image)->is_64 &&
           (core->firmware.be8 || !((const struct image *)image)->big_endian);
}

/* Another core's program. */
static enum armpmu_status refuse_core(const struct firmware *fw, const char *kind,
                                      struct armpmu_error *err)
{
    char machines[256];

    core_descriptor_machines(executes, &fw->image, machines, sizeof machines);
    return fail(err, ARMPMU_BAD_CONFIG,
                "'%s' is a program for %s, which the %s of machine %s does not execute: choose "
                "--machine %s",
                fw->run->argv[0], kind, fw->core->name, armpmu_machine_name(fw->run->machine),
                machines);
}

static enum armpmu_status check_attributes(const struct firmware *fw, struct armpmu_error *err)
{
    struct arm_attributes attributes;
    char sentence[1024];

    if (fw->image.is_raw || !elf_file_attributes(&fw->image.file, &attributes))
        return ARMPMU_OK;
    if (attributes.profile == ARM_PROFILE_M)
        return fail(
            err, ARMPMU_BAD_INPUT,
            "'%s' is built for a microcontroller (Tag_CPU_arch_profile says M), whose "
            "exceptions and registers no core here has: build it with -march=armv7-a, armv7-r "
            "or armv5te",
            fw->run->argv[0]);
    if (fw->run->warn != NULL && later_core_sentence(fw->run->argv[0], &attributes,
                                                     fw->run->machine, sentence, sizeof sentence))
        fw->run->warn(sentence);
    return ARMPMU_OK;
}

static enum armpmu_status find_core(struct firmware *fw, struct armpmu_error *err)
{
    fw->core = core_descriptor_of(armpmu_machine_core(fw->run->machine));
    fw->cores = monitor_cores_of(armpmu_machine_core(fw->run->machine), fw->core->beside);
    if (fw->core->firmware.cpu == NULL)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "machine %s: firmware for a %s cannot be run; choose another with --machine",
                    armpmu_machine_name(fw->run->machine), fw->core->name);
    fw->processor =
        fw->core->emulator.elf_class == ELFCLASS64 ? &processor_aarch64 : &processor_aarch32;
    if (fw->image.is_raw)
        fw->image.is_64 = fw->processor->word_bytes == 8;
    if (fw->image.is_64 != (fw->processor->word_bytes == 8))
        return refuse_core(fw, fw->image.is_64 ? processor_aarch64.code : processor_aarch32.code,
                           err);
    if (fw->image.big_endian && !fw->core->firmware.be8)
        return refuse_core(fw, "big-endian data (BE-8)", err);
    return check_attributes(fw, err);
}

static void on_output(void *user, enum armpmu_output output, bool asserted)
{
    struct firmware *const fw = user;

    board_line(fw->board, output, asserted);
}

static void on_bus(void *user, uint64_t bits)
{
    struct firmware *const fw = user;

    if (fw->vcd != NULL)
        vcd_bus(fw, bits);
}

static void on_interval(void *user, uint64_t count)
{
    struct firmware *const fw = user;
    uint64_t signals[ARMPMU_SIGNAL_COUNT];

    armpmu_sim_signals(fw->sim, signals);
    fw->run->on_interval(fw->run->user, count, signals);
}

#define HIGHEST_LEVEL 3u

static enum armpmu_status make_aarch64(struct firmware *fw, struct armpmu_error *err)
{
    const struct amu_config usual = AMU_DEFAULT;
    struct aarch64 *const a64 = calloc(1, sizeof *a64);

    if (a64 == NULL)
        return fail_no_memory(err, "the processor");
    fw->a64 = a64;
    a64->highest = fw->setup->highest_level > 0 ? fw->setup->highest_level : HIGHEST_LEVEL;
    a64->unit = usual;
    const char *const problem =
        fw->setup->amu != NULL ? amu_config_parse(fw->setup->amu, &fw->cores, &a64->unit) : NULL;
    return problem != NULL ? fail(err, ARMPMU_BAD_CONFIG, "%s", problem) : ARMPMU_OK;
}

/* The library's processor has neither fine-grained traps nor a Secure EL2. */
static void configure_aarch64(const struct firmware *fw, struct armpmu_config *config)
{
    const unsigned highest = fw->a64->highest;

    amu_config_configure(&fw->a64->unit, highest, highest > 1, false, &config->amu);
    config->pmuv3 = (struct armpmu_pmuv3_config){.highest_el = (uint8_t)highest,
                                                 .without_el2 = highest < 2,
                                                 .without_secure_el2 = true,
                                                 .without_fine_traps = true};
}

/* Makes the decoder, the core model and the monitors. */
static enum armpmu_status make_core(struct firmware *fw, struct armpmu_error *err)
{
    struct armpmu_config config = {.output = on_output, .event_bus = on_bus, .user = fw};
    if (fw->a64 != NULL)
        configure_aarch64(fw, &config);
    size_t for_code = 0;
    enum armpmu_status status = memory_for_code(&for_code, err);

    if (status == ARMPMU_OK)
        status = code_blocks_new(fw->code_blocks, err);
    if (status == ARMPMU_OK)
        status = armpmu_code_new(block_store_lookup, &fw->code_blocks->store, &fw->decoded, err);
    if (status == ARMPMU_OK)
        armpmu_code_limit(fw->decoded, for_code);
    if (status == ARMPMU_OK)
        status = armpmu_sim_new(fw->run->machine, fw->decoded, &fw->sim, err);
    if (status == ARMPMU_OK)
        status = monitors_create(&fw->monitors, &fw->cores, &config, err);
    if (status != ARMPMU_OK)
        return status;
    core_registers_reset(&fw->monitors.registers, fw->run->machine);
    if (fw->a64 != NULL)
        amu_config_begin(&fw->a64->unit, &fw->monitors);
    return ARMPMU_OK;
}

/* Sets what the core model keeps beside counts. */
static enum armpmu_status set_profile(struct firmware *fw, struct armpmu_error *err)
{
    enum armpmu_status status = armpmu_sim_set_profile(fw->sim, fw->run->profile, err);

    if (status == ARMPMU_OK && fw->run->keeps_accesses)
        status = armpmu_sim_keep_accesses(fw->sim, err);
    if (status == ARMPMU_OK && fw->run->maps_misses)
        status = armpmu_sim_map_misses(fw->sim, err);
    if (status != ARMPMU_OK)
        return status;
    if (fw->run->region != NULL)
        armpmu_sim_set_region(fw->sim, fw->run->region);
    if (fw->run->period > 0)
        armpmu_sim_set_interval(fw->sim, fw->run->every, fw->run->period, on_interval, fw);
    return ARMPMU_OK;
}

static enum armpmu_status make_models(struct firmware *fw, struct armpmu_error *err)
{
    enum armpmu_status status = make_core(fw, err);

    if (status == ARMPMU_OK)
        status = set_profile(fw, err);
    if (status != ARMPMU_OK)
        return status;
    /* A region that begins and ends at marks, or with a delay, is that of all tasks together. */
    fw->has_tasks = fw->run->profile != ARMPMU_PROFILE_OFF &&
                    (fw->run->region == NULL || fw->run->region->has_functions);
    if (fw->has_tasks && !task_stacks_init(&fw->tasks))
        return fail_no_memory(err, "the firmware's tasks");
    fw->queue = model_queue_new(fw->sim, 2, FIRMWARE_RECORDS, fw->run->period == 0);
    fw->pages = fw->core->firmware.frames ? calloc(1, sizeof *fw->pages) : NULL;
    if (fw->queue == NULL || (fw->core->firmware.frames && fw->pages == NULL))
        return fail_no_memory(err, "the firmware's stream");
    fw->records = model_queue_records(fw->queue);
    status = stimulus_set_up(fw, err);
    if (status == ARMPMU_OK && fw->setup->vcd != NULL)
        status = vcd_open(fw, err);
    return status;
}

static bool add_callbacks(struct firmware *fw)
{
    const struct {
        int type;
        void *call;
    } hooks[] = {
        {UC_HOOK_BLOCK, (void *)(uintptr_t)early_accesses_on_block},
        {UC_HOOK_INTR, (void *)(uintptr_t)firmware_on_exception},
        {UC_HOOK_MEM_UNMAPPED, (void *)(uintptr_t)access_bad},
        {UC_HOOK_EDGE_GENERATED, (void *)(uintptr_t)workarounds_translated},
    };
    uc_hook hook;

    for (size_t i = 0; i < sizeof hooks / sizeof hooks[0]; i++)
        if (fw->lib->hook_add(fw->uc, &hook, hooks[i].type, hooks[i].call, fw, (uint64_t)0,
                              FIRMWARE_HOOKED_END) != UC_ERR_OK)
            return false;
    return access_add_hook(fw);
}

/* Once the library is there. */
static void warn_of_version(const struct firmware *fw)
{
    char version[LIBRARY_VERSION_TEXT], sentence[256];

    if (fw->run->warn == NULL || library_version_standing(fw->lib->number) == LIBRARY_TESTED)
        return;
    library_version_text(fw->lib->number, version);
    snprintf(sentence, sizeof sentence,
             "the Unicorn library is version %s, and armpmu is tested with " LIBRARY_VERSIONS_TESTED
             ": counts may be wrong",
             version);
    fw->run->warn(sentence);
}

static enum armpmu_status make_processor(struct firmware *fw, struct armpmu_error *err)
{
    if (library_reserve(LIBRARY_BYTES, "the Unicorn library", err) != ARMPMU_OK)
        return ARMPMU_NO_MEMORY;
    warn_of_version(fw);
    fw->shows_physical = library_version_shows_physical(fw->lib->number);
    uc_err error = fw->lib->open(fw->processor->library, UC_MODE_ARM, &fw->uc);

    if (error == UC_ERR_OK)
        error = fw->lib->ctl(fw->uc, LIBRARY_SET(UC_CTL_CPU_MODEL, 1),
                             library_cpu(fw->core->firmware.cpu));
    if (error == UC_ERR_OK)
        error = fw->lib->ctl(fw->uc, LIBRARY_GET(UC_CTL_UC_PAGE_SIZE, 1), &fw->page_bytes);
    if (error == UC_ERR_OK)
        error = library_end_nowhere(fw->lib, fw->uc);
    if (error != UC_ERR_OK || !add_callbacks(fw))
        return fail(err, ARMPMU_BAD_CONFIG, "the Unicorn library cannot make a %s: %s",
                    fw->core->name, fw->lib->strerror(error));
    return ARMPMU_OK;
}

#define RETURN_PAGE 0xffffe000u /* the last one below those of high vectors */

/* The last page up to there that holds nothing. */
static uint64_t empty_page(const struct firmware *fw)
{
    uint64_t page = RETURN_PAGE;

    while (board_has(fw->board, page, 1) || board_is_device(fw->board, page) ||
           page == fw->setup->frame)
        page -= BOARD_PAGE_BYTES;
    return page;
}

static enum armpmu_status start(struct firmware *fw, struct armpmu_error *err)
{
    if (!fw->processor->start(fw))
        return fail(err, ARMPMU_BAD_CONFIG, "the Unicorn library cannot start a %s",
                    fw->core->name);
    fw->return_at = empty_page(fw);
    processor_write(fw, fw->processor->n_registers - 2, fw->return_at);
    trace_writer_start(fw);
    return ARMPMU_OK;
}

enum armpmu_status firmware_set_up(struct firmware *fw, struct armpmu_error *err)
{
    const struct firmware_setup *const setup = fw->setup;
    const char *const program = fw->run->argv[0];
    enum armpmu_status status = setup->has_load
                                    ? raw_image_load(program, setup->load, &fw->image, err)
                                    : image_load(program, NULL, &fw->image, err);

    if (status == ARMPMU_OK)
        status = find_core(fw, err);
    if (status == ARMPMU_OK)
        status = library_load(&fw->lib, err);
    if (status == ARMPMU_OK)
        workarounds_take_locks(fw->lib);
    if (status == ARMPMU_OK && fw->processor == &processor_aarch64)
        status = make_aarch64(fw, err);
    if (status == ARMPMU_OK)
        status = make_models(fw, err);
    if (status == ARMPMU_OK)
        status = make_processor(fw, err);
    if (status == ARMPMU_OK)
        status = board_set_up(fw, err);
    if (status == ARMPMU_OK && fw->a64 == NULL &&
        (fw->setup->amu != NULL || fw->setup->frame != 0 || fw->setup->highest_level != 0))
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--amu, --frame and --el are of AArch64 machines; a %s is none",
                    fw->core->name);
    if (status == ARMPMU_OK && fw->setup->frame != 0 && !frame64_map(fw))
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--frame 0x%" PRIx64 ": the devices are there already; choose another page",
                    fw->setup->frame);
    if (status == ARMPMU_OK)
        status = semihosting_begin(fw, err);
    return status == ARMPMU_OK ? start(fw, err) : status;
}

/* A run and its modules' states, in one piece. */
struct states {
    struct firmware fw;
    struct board board;
    struct code_blocks code_blocks;
    struct limits limits;
    struct overwritten overwritten;
    struct semihosting semihosting;
    struct stimulus stimulus;
    struct it_translation translation;
};

struct firmware *firmware_new(void)
{
    struct states *const all = calloc(1, sizeof *all);

    if (all == NULL)
        return NULL;
    all->fw.board = &all->board;
    all->fw.code_blocks = &all->code_blocks;
    all->fw.limits = &all->limits;
    all->fw.overwritten = &all->overwritten;
    all->fw.semihosting = &all->semihosting;
    all->fw.stimulus = &all->stimulus;
    all->fw.translation = &all->translation;
    return &all->fw;
}

void firmware_free(struct firmware *fw)
{
    model_queue_free(fw->queue);
    vcd_close(fw);
    semihosting_free(fw->semihosting);
    if (fw->uc != NULL) {
        fw->processor->end(fw);
        unaligned_free(fw);
        fw->lib->close(fw->uc);
    }
    armpmu_sim_free(fw->sim);
    armpmu_code_free(fw->decoded);
    code_blocks_free(fw->code_blocks);
    image_free(&fw->image);
    free(fw->a64);
    free(fw->pages);
    task_stacks_free(&fw->tasks);
    free((struct states *)fw);
}
