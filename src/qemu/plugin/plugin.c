/* armpmu-qemu.so: what QEMU loads. It works in one of three modes:
 *
 *   recorder   in user emulation (qemu-arm): writes what a program executes for armpmu
 *   follow     there, without counting: only Arm programs that the program executes
 *   guest      in system emulation: the machine's processors get a live performance monitor
 *
 * This file knows the versions of the plugin interface and hands the callbacks to the mode. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "qemu/plugin/abi.h"
#include "qemu/plugin/lock_memory.h"
#include "base/own_mappings.h"
#include "qemu/plugin/tb_info.h"
#include "qemu/plugin/plugin_mode.h"
#include "qemu/plugin/qemu_api.h"

QEMU_EXPORT int qemu_plugin_version = QEMU_ABI_FIRST;
QEMU_EXPORT int qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc,
                                    char **argv);

static const struct plugin_mode *mode;

/* ---- the two forms of each callback ------------------------------------------------------------
 */

static void translate_v1(uint64_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    mode->translate(tb);
}

static void translate_v7(struct qemu_plugin_tb *tb, void *user)
{
    (void)user;
    mode->translate(tb);
}

static void flush(void)
{
    mode->flush();
}

/* The forms of a callback about a virtual processor. */
#define VCPU_CALLBACK(name, then)                                                                  \
    static void name##_v1(uint64_t id, unsigned vcpu)                                              \
    {                                                                                              \
        (void)id;                                                                                  \
        mode->then(vcpu);                                                                          \
    }                                                                                              \
    static void name##_v7(unsigned vcpu, void *user)                                               \
    {                                                                                              \
        (void)user;                                                                                \
        mode->then(vcpu);                                                                          \
    }
VCPU_CALLBACK(vcpu_init, vcpu_starts)
VCPU_CALLBACK(vcpu_exit, vcpu_ends)
VCPU_CALLBACK(vcpu_idle, vcpu_stops)
VCPU_CALLBACK(vcpu_resume, vcpu_goes_on)

static void syscall_v1(uint64_t id, unsigned vcpu, int64_t number, uint64_t a1, uint64_t a2,
                       uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
    (void)id, (void)a7, (void)a8;
    mode->syscall_starts(vcpu, number, (const uint64_t[]){a1, a2, a3, a4, a5, a6});
}

static void syscall_v7(unsigned vcpu, int64_t number, uint64_t a1, uint64_t a2, uint64_t a3,
                       uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8, void *user)
{
    (void)a7, (void)a8, (void)user;
    mode->syscall_starts(vcpu, number, (const uint64_t[]){a1, a2, a3, a4, a5, a6});
}

static void syscall_ret_v1(uint64_t id, unsigned vcpu, int64_t number, int64_t result)
{
    (void)id;
    mode->syscall_returns(vcpu, number, result);
}

static void syscall_ret_v7(unsigned vcpu, int64_t number, int64_t result, void *user)
{
    (void)user;
    mode->syscall_returns(vcpu, number, result);
}

static void exception_v6(uint64_t id, unsigned vcpu, int type, uint64_t from, uint64_t to)
{
    (void)id;
    mode->exception(vcpu, type, from, to);
}

static void exception_v7(unsigned vcpu, int type, uint64_t from, uint64_t to, void *user)
{
    (void)user;
    mode->exception(vcpu, type, from, to);
}

static void at_exit_v1(uint64_t id, void *user)
{
    (void)id, (void)user;
    mode->at_exit();
}

static void at_exit_v7(void *user)
{
    (void)user;
    mode->at_exit();
}

/* Both forms as the untyped function pointer that the registration is called with. */
struct callback {
    const char *registration;
    void (*v1)(void);
    void (*v7)(void);
};

#define BOTH_FORMS(registration, name)                                                             \
    {                                                                                              \
        "qemu_plugin_register_" registration "_cb", (void (*)(void))name##_v1,                     \
            (void (*)(void))name##_v7                                                              \
    }

static const struct callback of_both[] = {
    BOTH_FORMS("vcpu_tb_trans", translate),
    BOTH_FORMS("vcpu_init", vcpu_init),
    BOTH_FORMS("vcpu_exit", vcpu_exit),
};

static const struct callback of_user_emulation[] = {
    {"qemu_plugin_register_flush_cb", flush, flush}, /* whatever it is called with */
    BOTH_FORMS("vcpu_syscall", syscall),
    BOTH_FORMS("vcpu_syscall_ret", syscall_ret),
};

static const struct callback of_system_emulation[] = {
    BOTH_FORMS("vcpu_idle", vcpu_idle),
    BOTH_FORMS("vcpu_resume", vcpu_resume),
};

static bool register_callback(uint64_t id, const struct callback *callback)
{
    void *found = dlsym(RTLD_DEFAULT, callback->registration);
    if (found == NULL)
        return false;
    if (qemu_plugin_version >= QEMU_ABI_USERDATA) {
        qemu_register_v7 call;
        memcpy(&call, &found, sizeof call);
        call(id, callback->v7, NULL);
    } else {
        qemu_register_v1 call;
        memcpy(&call, &found, sizeof call);
        call(id, callback->v1);
    }
    return true;
}

/* ---- start ------------------------------------------------------------------------------------
 */

/* Opens the file that the running QEMU was loaded from: the one that holds a function of its plugin
 * interface. (/proc/self/exe may be a dynamic linker that was started by name.) */
static int open_qemu(void)
{
    static struct own_mapping mapping; /* large */
    const uintptr_t inside = (uintptr_t)dlsym(RTLD_DEFAULT, "qemu_plugin_outs");

    return own_mapping_find(inside, &mapping) ? open(mapping.path, O_RDONLY | O_CLOEXEC) : -1;
}

/* The release of the running QEMU, as major * 100 + minor, out of the version it prints: "qemu-arm
 * version 11.1.3". 0 when it is not to be found. */
static unsigned qemu_release(void)
{
    static const char sign[] = " version ";
    unsigned release = 0;
    int fd = open_qemu();
    struct stat status;
    const char *image = MAP_FAILED;
    if (fd >= 0 && fstat(fd, &status) == 0)
        image = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (fd >= 0)
        close(fd);
    if (image == MAP_FAILED)
        return 0;
    const char *end = image + status.st_size, *at = image;
    while (release == 0 && (at = memmem(at, (size_t)(end - at), sign, sizeof sign - 1)) != NULL) {
        char number[16];
        unsigned major, minor;
        at += sizeof sign - 1;
        size_t n = (size_t)(end - at) < sizeof number - 1 ? (size_t)(end - at) : sizeof number - 1;
        memcpy(number, at, n);
        number[n] = '\0';
        if (sscanf(number, "%2u.%2u.", &major, &minor) == 2)
            release = major * 100 + minor;
    }
    munmap((void *)(uintptr_t)image, (size_t)status.st_size);
    return release;
}

/* QEMU reads qemu_plugin_version before it calls anything of ours and says nothing about itself:
 * its version is recognised by the functions each version added. Version 7 changed functions and
 * added none; it came with QEMU 11.1. */
static __attribute__((constructor)) void choose_version(void)
{
    static const struct {
        int version;
        const char *symbol;
    } added[] = {
        {QEMU_ABI_REGISTERS, "qemu_plugin_get_registers"},
        {QEMU_ABI_INSN_COPIES, "qemu_plugin_register_vcpu_tb_exec_cond_cb"},
        {QEMU_ABI_READ_MEMORY, "qemu_plugin_read_memory_vaddr"},
        {QEMU_ABI_WRITE_MEMORY, "qemu_plugin_write_memory_vaddr"},
        {QEMU_ABI_DISCON, "qemu_plugin_register_vcpu_discon_cb"},
    };
    for (size_t i = 0; i < sizeof added / sizeof added[0]; i++)
        if (dlsym(RTLD_DEFAULT, added[i].symbol) != NULL)
            qemu_plugin_version = added[i].version;
    if (qemu_plugin_version == QEMU_ABI_DISCON) {
        unsigned release = qemu_release();
        if (release == 0 || release >= 1101)
            qemu_plugin_version = QEMU_ABI_USERDATA;
    }
}

static bool register_callbacks(uint64_t id, const struct callback *callbacks, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!register_callback(id, &callbacks[i]))
            return false;
    return true;
}

/* Exceptions and the end have registrations of shapes of their own. */
static bool register_at_exit(uint64_t id)
{
    void *const found = dlsym(RTLD_DEFAULT, "qemu_plugin_register_atexit_cb");
    qemu_register_v7 call;

    if (found == NULL)
        return false;
    memcpy(&call, &found, sizeof call);
    call(id,
         qemu_plugin_version >= QEMU_ABI_USERDATA ? (void (*)(void))at_exit_v7
                                                  : (void (*)(void))at_exit_v1,
         NULL);
    return true;
}

static bool register_for_system(uint64_t id)
{
    void *const found = dlsym(RTLD_DEFAULT, "qemu_plugin_register_vcpu_discon_cb");
    if (found == NULL)
        return false;
    if (qemu_plugin_version >= QEMU_ABI_USERDATA) {
        qemu_register_discon_v7 call;
        memcpy(&call, &found, sizeof call);
        call(id, QEMU_DISCON_INTERRUPT | QEMU_DISCON_EXCEPTION, exception_v7, NULL);
    } else {
        qemu_register_discon_v6 call;
        memcpy(&call, &found, sizeof call);
        call(id, QEMU_DISCON_INTERRUPT | QEMU_DISCON_EXCEPTION, exception_v6);
    }
    return register_at_exit(id) &&
           register_callbacks(id, of_system_emulation,
                              sizeof of_system_emulation / sizeof of_system_emulation[0]);
}

static const char *register_all(uint64_t id, const struct qemu_info *info)
{
    const bool system_emulation = info->system_emulation;
    void *data = dlsym(RTLD_DEFAULT, "qemu_plugin_insn_data");

    qemu_api_find();
    if (qemu_api_shows_registers())
        tb_info_cpsr = qemu_api_cpsr;
    if (!tb_info_start(info))
        return "no memory for the instruction decoder";
    if (qemu_plugin_version >= QEMU_ABI_INSN_COPIES)
        memcpy(&tb_info_insn_data_v3, &data, sizeof data);
    else
        memcpy(&tb_info_insn_data_v1, &data, sizeof data);
    bool complete =
        data != NULL && register_callbacks(id, of_both, sizeof of_both / sizeof of_both[0]);
    if (system_emulation)
        complete = complete && register_for_system(id);
    else
        complete =
            complete && register_callbacks(id, of_user_emulation,
                                           sizeof of_user_emulation / sizeof of_user_emulation[0]);
    if (!system_emulation && mode->at_exit != NULL)
        complete = complete && register_at_exit(id);
    return complete ? NULL : "this QEMU lacks a function of the plugin interface";
}

/* The last of several arguments counts. */
static const struct plugin_mode *choose_mode(bool system_emulation, int argc, char **argv)
{
    const struct plugin_mode *chosen = system_emulation ? &mode_guest : &mode_recorder;

    for (int i = 0; i < argc && !system_emulation; i++)
        if (strncmp(argv[i], "ring=", 5) == 0)
            chosen = strcmp(argv[i], "ring=-1") == 0 ? &mode_follow : &mode_recorder;
    return chosen;
}

int qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc, char **argv)
{
    mode = choose_mode(info->system_emulation, argc, argv);
    const char *problem = mode->start(info, argc, argv);
    if (problem == NULL)
        problem = register_all(id, info);
    if (problem != NULL) {
        mode->refuse(problem);
        return 1;
    }
    if (!info->system_emulation)
        lock_memory_when_touched();
    mode->ready();
    return 0;
}
