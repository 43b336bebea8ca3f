/* How many bytes an access has, by QEMU's description of it. */
#ifndef QEMU_PLUGIN_MEM_BYTES_H
#define QEMU_PLUGIN_MEM_BYTES_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/compiler.h"
#include "qemu/plugin/abi.h"

/* QEMU is asked once for each description, since a call into it costs as much as a record. A known
 * one has itself in the upper half of its entry, the bytes in the lower. */
static inline uint32_t mem_bytes(uint32_t info)
{
    static _Atomic uint64_t known[64];
    _Atomic uint64_t *const entry = &known[(info ^ info >> 14) % 64];
    uint64_t value = atomic_load_explicit(entry, memory_order_relaxed);

    if (unlikely(value >> 32 != info || value == 0)) {
        value = (uint64_t)info << 32 | 1u << qemu_plugin_mem_size_shift(info);
        atomic_store_explicit(entry, value, memory_order_relaxed);
    }
    return (uint32_t)value;
}

#endif
