/* Lets a plugin that was written for the interface of QEMU 9 and 10 run with that of QEMU 11.1, in
 * which callbacks and their registrations carry user data in place of the plugin's id: included in
 * front of the plugin's source. */
#include <qemu-plugin.h>

#undef QEMU_PLUGIN_VERSION
#define QEMU_PLUGIN_VERSION 7

static qemu_plugin_vcpu_tb_trans_cb_t given_translate;
static qemu_plugin_udata_cb_t given_at_exit;

static void translate_7(struct qemu_plugin_tb *tb, void *user)
{
    (void)user;
    given_translate(0, tb);
}

static void at_exit_7(void *user)
{
    given_at_exit(0, user);
}

/* QEMU's functions as they are in this interface. */
void register_translate_7(qemu_plugin_id_t id, void (*call)(struct qemu_plugin_tb *, void *),
                          void *user) __asm__("qemu_plugin_register_vcpu_tb_trans_cb");
void register_at_exit_7(qemu_plugin_id_t id, void (*call)(void *),
                        void *user) __asm__("qemu_plugin_register_atexit_cb");

static void register_translate(qemu_plugin_id_t id, qemu_plugin_vcpu_tb_trans_cb_t call)
{
    given_translate = call;
    register_translate_7(id, translate_7, NULL);
}

static void register_at_exit(qemu_plugin_id_t id, qemu_plugin_udata_cb_t call, void *user)
{
    given_at_exit = call;
    register_at_exit_7(id, at_exit_7, user);
}

#define qemu_plugin_register_vcpu_tb_trans_cb register_translate
#define qemu_plugin_register_atexit_cb        register_at_exit
