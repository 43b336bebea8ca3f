/* Versions of QEMU's plugin interface:
 *
 *   1  QEMU 4.2 to 8  callbacks get the plugin's id; an instruction's bytes are pointed to
 *   3  QEMU 9.1       they are copied
 *   7  QEMU 11.1      callbacks get a pointer of the plugin's, last
 *
 * A QEMU says nothing of itself before it has read which version the plugin wants. */
#include "plugin_abi.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int qemu_plugin_version = 1;

/* The release of the running QEMU, 100 * major + minor, out of what it prints for --version; 0
 * where that is not found. */
static unsigned release(void)
{
    static const char before[] = " version ";
    FILE *const file = fopen("/proc/self/exe", "rb");
    unsigned major = 0, minor = 0;
    size_t matched = 0;
    int byte = 0;

    while (file != NULL && major == 0 && (byte = getc(file)) != EOF) {
        matched = byte == before[matched] ? matched + 1 : byte == before[0];
        if (matched == sizeof before - 1) {
            matched = 0;
            if (fscanf(file, "%2u.%2u.", &major, &minor) != 2)
                major = 0;
        }
    }
    if (file != NULL)
        fclose(file);
    return 100 * major + minor;
}

static __attribute__((constructor)) void choose_version(void)
{
    if (dlsym(RTLD_DEFAULT, "qemu_plugin_register_vcpu_tb_exec_cond_cb") != NULL)
        qemu_plugin_version = 3;
    /* Of QEMU 10.2: only then is it worth to look through the whole file. */
    if (dlsym(RTLD_DEFAULT, "qemu_plugin_register_vcpu_discon_cb") != NULL && release() >= 1101)
        qemu_plugin_version = 7;
}

/* ---- callbacks ---- */

static void (*thread_start)(unsigned vcpu), (*end)(void);
static void (*translation)(struct qemu_plugin_tb *tb);

static void thread_start_1(plugin_id id, unsigned vcpu)
{
    (void)id;
    thread_start(vcpu);
}

static void thread_start_7(unsigned vcpu, void *user)
{
    (void)user;
    thread_start(vcpu);
}

static void translation_1(plugin_id id, struct qemu_plugin_tb *tb)
{
    (void)id;
    translation(tb);
}

static void translation_7(struct qemu_plugin_tb *tb, void *user)
{
    (void)user;
    translation(tb);
}

/* Of all versions: no argument is looked at. */
static void ends(void)
{
    end();
}

typedef void (*any_function)(void);

/* The pointer of version 7, or of the end's in any, is an argument too many for the others, which
 * do not look at it. */
static void register_with(const char *name, plugin_id id, any_function v1, any_function v7)
{
    void (*call)(plugin_id, any_function, void *);
    void *const found = dlsym(RTLD_DEFAULT, name);

    memcpy(&call, &found, sizeof call);
    call(id, qemu_plugin_version >= 7 ? v7 : v1, NULL);
}

void abi_on_thread_start(plugin_id id, void (*call)(unsigned vcpu))
{
    thread_start = call;
    register_with("qemu_plugin_register_vcpu_init_cb", id, (any_function)thread_start_1,
                  (any_function)thread_start_7);
}

void abi_on_translation(plugin_id id, void (*call)(struct qemu_plugin_tb *tb))
{
    translation = call;
    register_with("qemu_plugin_register_vcpu_tb_trans_cb", id, (any_function)translation_1,
                  (any_function)translation_7);
}

void abi_on_end(plugin_id id, void (*call)(void))
{
    end = call;
    register_with("qemu_plugin_register_atexit_cb", id, ends, ends);
}

/* ---- bytes ---- */

void abi_copy_bytes(const struct qemu_plugin_insn *insn, void *to, size_t n)
{
    const void *(*point)(const struct qemu_plugin_insn *);
    size_t (*copy)(const struct qemu_plugin_insn *, void *, size_t);
    void *const found = dlsym(RTLD_DEFAULT, "qemu_plugin_insn_data");

    memcpy(&point, &found, sizeof point);
    memcpy(&copy, &found, sizeof copy);
    if (qemu_plugin_version >= 3)
        copy(insn, to, n);
    else
        memcpy(to, point(insn), n);
}
