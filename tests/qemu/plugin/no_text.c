/* Preloaded into QEMU: its capstone opens nothing, as if QEMU was built without it. The plugin
 * carries one of its own. */
#include <stddef.h>

__attribute__((visibility("default"))) int cs_open(int architecture, int mode, size_t *handle);

int cs_open(int architecture, int mode, size_t *handle)
{
    enum { CS_ERR_ARCH = 2 };

    (void)architecture, (void)mode, (void)handle;
    return CS_ERR_ARCH;
}
