/* Entry points of capstone's other instruction sets, defined here so that the linker omits them and
 * their tables from a static capstone; otherwise they would be half of the plugin.
 *
 * Assumes: no caller opens a handle for them. Capstone then says CS_ERR_ARCH. */
#include <capstone/capstone.h>

#define LEFT_OUT(set)                                                                              \
    cs_err set##_global_init(void *handle);                                                        \
    cs_err set##_global_init(void *handle)                                                         \
    {                                                                                              \
        (void)handle;                                                                              \
        return CS_ERR_ARCH;                                                                        \
    }                                                                                              \
    cs_err set##_option(void *handle, cs_opt_type type, size_t value);                             \
    cs_err set##_option(void *handle, cs_opt_type type, size_t value)                              \
    {                                                                                              \
        (void)handle, (void)type, (void)value;                                                     \
        return CS_ERR_ARCH;                                                                        \
    }

LEFT_OUT(EVM)
LEFT_OUT(M680X)
LEFT_OUT(M68K)
LEFT_OUT(Mips)
LEFT_OUT(PPC)
LEFT_OUT(Sparc)
LEFT_OUT(SystemZ)
LEFT_OUT(TMS320C64x)
LEFT_OUT(X86)
LEFT_OUT(XCore)
/* Since capstone 5. */
LEFT_OUT(BPF)
LEFT_OUT(MOS65XX)
LEFT_OUT(RISCV)
LEFT_OUT(SH)
LEFT_OUT(TRICORE)
LEFT_OUT(WASM)
