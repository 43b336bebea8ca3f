/* A plugin that takes a millisecond whenever a processor begins to idle:
 * docs/upstream/idle-callback.md. Version 7 of the plugin interface, QEMU 11.1.
 *
 *     gcc -shared -fPIC slow_idle.c -o slow_idle.so */
#define _GNU_SOURCE
#include <stdint.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT int qemu_plugin_version = 7;
void qemu_plugin_register_vcpu_idle_cb(uint64_t id, void (*call)(unsigned, void *), void *user);

static void idle(unsigned vcpu, void *user)
{
    (void)vcpu, (void)user;
    usleep(1000);
}

EXPORT int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv)
{
    (void)info, (void)argc, (void)argv;
    qemu_plugin_register_vcpu_idle_cb(id, idle, NULL);
    return 0;
}
