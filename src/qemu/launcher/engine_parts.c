/* Lists the programs and files that the engine needs, found in the same way as for a run. */
#include <stdio.h>
#include <string.h>

#include "qemu/engine.h"
#include "qemu/launcher/find.h"
#include "qemu/launcher/program.h"
#include "qemu/launcher/system_find.h"

_Static_assert(sizeof((struct engine_part *)0)->path == FIND_PATH_BYTES, "the paths are as long");

/* "qemu-arm version 7.2.22 (Debian ...)": from the number on. */
static void ask_version(const char *path, char version[ENGINE_VERSION_BYTES],
                        struct armpmu_error *err)
{
    char answer[SYSTEM_ANSWER_BYTES] = "";

    if (system_ask_version(path, answer, err) != ARMPMU_OK)
        return;
    const char *const number = strstr(answer, "version ");
    snprintf(version, ENGINE_VERSION_BYTES, "%.95s",
             number != NULL ? number + strlen("version ") : answer);
}

static void ask(struct engine_part *part)
{
    ask_version(part->path, part->version, &part->problem);
}

enum armpmu_status engine_qemu_version(const char *wanted, const struct armpmu_machine *machine,
                                       char version[ENGINE_VERSION_BYTES], struct armpmu_error *err)
{
    struct armpmu_error ignored;
    const struct core_descriptor *const core = core_descriptor_of(armpmu_machine_core(machine));
    struct found_qemu qemu;
    const enum armpmu_status status = find_qemu(wanted, core, &qemu, err);

    version[0] = '\0';
    if (status == ARMPMU_OK &&
        !find_qemu_version(qemu.path, core->emulator.qemu, version, ENGINE_VERSION_BYTES))
        ask_version(qemu.path, version, &ignored);
    return status;
}

void engine_versions(const struct run *job, struct versions *out)
{
    const struct core_descriptor *const core =
        core_descriptor_of(armpmu_machine_core(job->machine));
    struct armpmu_error ignored;
    struct program program;
    struct versions loader;
    char sysroot[FIND_PATH_BYTES], path[sizeof sysroot + sizeof program.interpreter];

    *out = (struct versions){.text = {""}};
    if (program_find(job->argv[0], core, &program, &ignored) != ARMPMU_OK)
        return;
    versions_of_file(program.path, out);
    out->text[VERSION_LIBC][0] = '\0';
    (void)!engine_qemu_version(job->qemu, job->machine, out->text[VERSION_QEMU], &ignored);
    if (program.interpreter[0] == '\0' ||
        find_sysroot(job->sysroot, program.interpreter, sysroot, &ignored) != ARMPMU_OK)
        return;
    snprintf(path, sizeof path, "%s%s", sysroot, program.interpreter);
    versions_of_file(path, &loader);
    memcpy(out->text[VERSION_LIBC], loader.text[VERSION_LIBC], VERSION_BYTES);
}

/* The emulator of a core's programs; false where another core's is the same. */
static bool add_user(struct engine_part *part, size_t core_index)
{
    const struct core_descriptor *const core = core_descriptor_at(core_index);

    for (size_t i = 0; i < core_index; i++)
        if (strcmp(core_descriptor_at(i)->emulator.qemu, core->emulator.qemu) == 0)
            return false;
    *part = (struct engine_part){.name = core->emulator.qemu};
    snprintf(part->use, sizeof part->use, "%s programs", core->emulator.runs);
    struct found_qemu qemu;
    part->is_there = find_qemu(NULL, core, &qemu, &part->problem) == ARMPMU_OK;
    if (!part->is_there)
        return true;
    memcpy(part->path, qemu.path, sizeof part->path);
    part->reason = qemu.reason;
    ask(part);
    return true;
}

static void add_system(struct engine_part *part, const char *name, const char *bits)
{
    *part = (struct engine_part){.name = name, .is_optional = true};
    snprintf(part->use, sizeof part->use, "%s guests (armpmu guest)", bits);
    part->is_there = system_find_qemu(name, part->path, &part->problem) == ARMPMU_OK;
    if (part->is_there)
        ask(part);
}

size_t engine_parts(struct engine_part *parts)
{
    size_t n = 0;

    for (size_t i = 0; core_descriptor_at(i) != NULL; i++)
        n += add_user(&parts[n], i);
    add_system(&parts[n++], "qemu-system-arm", "32-bit");
    add_system(&parts[n++], "qemu-system-aarch64", "AArch64");
    parts[n] = (struct engine_part){.name = "armpmu-qemu.so", .use = "programs and guests"};
    parts[n].is_there = find_plugin(parts[n].path, &parts[n].problem) == ARMPMU_OK;
    n++;
    parts[n] = (struct engine_part){.name = "/proc", .use = "programs and guests"};
    parts[n].is_there = find_proc(&parts[n].problem) == ARMPMU_OK;
    return n + 1;
}
