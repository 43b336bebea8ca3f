/* The size of an access, from QEMU's description of it. */
#ifndef QEMU_PLUGIN_MEM_BYTES_H
#define QEMU_PLUGIN_MEM_BYTES_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/compiler.h"
#include "qemu/plugin/abi.h"

/* QEMU is asked once for each description, since a call into it costs as much as a record. A known
 * one has itself in the upper half of its entry, the bytes in the lower. */
static _Atomic uint64_t mem_bytes_asked[64];

static inline _Atomic uint64_t *mem_bytes_entry(uint32_t info)
{
    return &mem_bytes_asked[(info ^ info >> 14) % 64];
}

/* 0: QEMU must be asked. */
static inline uint32_t mem_bytes_known(uint32_t info)
{
    const uint64_t value = atomic_load_explicit(mem_bytes_entry(info), memory_order_relaxed);

    return likely(value >> 32 == info) ? (uint32_t)value : 0;
}

static inline uint32_t mem_bytes(uint32_t info)
{
    uint32_t bytes = mem_bytes_known(info);

    if (unlikely(bytes == 0)) {
        bytes = 1u << qemu_plugin_mem_size_shift(info);
        atomic_store_explicit(mem_bytes_entry(info), (uint64_t)info << 32 | bytes,
                              memory_order_relaxed);
    }
    return bytes;
}

#endif
