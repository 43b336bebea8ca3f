/* Executed blocks become records, whose counts go to the device. */
#ifndef UNICORN_TRACE_WRITER_H
#define UNICORN_TRACE_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/block_store.h"
#include "unicorn/firmware.h"

void trace_writer_start(struct firmware *fw);
/* Runs all records that wait through the model and gives their counts to the device. */
void trace_writer_run(struct firmware *fw);
/* The same at the end of the run, with what the core still has to do: what waits in a store buffer
 * leaves it. */
void trace_writer_end(struct firmware *fw);
/* After a change of the device: how often the model must run, whether to watch. */
void trace_writer_adjust(struct firmware *fw);
/* Returns whether a counter may wrap in n instructions of n_records, once all before them is
 * counted. */
bool trace_writer_may_wrap(const struct firmware *fw, unsigned n, unsigned n_records);
/* A code block starts executing. */
void trace_writer_enter(struct firmware *fw, const struct code_block *code_block);
/* The code block before it is at its end, whatever accesses it left out: its last records. */
void trace_writer_finish(struct firmware *fw);

/* With tasks, before the records of a code block at an address: another task may run from there on.
 * Then, of the code block: how it changes the stack. */
void trace_writer_leave_task(struct firmware *fw, uint64_t address);
void trace_writer_note_stack(struct firmware *fw, const struct code_block *code_block);

/* The next record is that of a code block that starts executing. */
static inline void trace_writer_begin(struct firmware *fw, const struct code_block *code_block)
{
    fw->block_at = fw->n;
    fw->records[fw->n++] = code_block->record;
    fw->first_access = fw->n;
    fw->code_block = code_block;
    fw->after = UINT64_MAX;
    fw->insns += code_block->n_insns;
    fw->slot = 0;
    fw->slot_bytes = 0;
    fw->parts = 0;
    fw->last.write = false;
    fw->known_early = false;
    fw->pages_known = false;
}
/* Inside a hook, before the instruction at an address: counts all that executed before the code
 * block. *from: where that begins; *after: how many of its instructions executed. False without
 * memory. */
bool trace_writer_look(struct firmware *fw, uint64_t address, uint64_t *from, unsigned *after);
/* The instruction at an address does not execute: a debugger continues elsewhere. */
void trace_writer_jump(struct firmware *fw, uint64_t address);
/* Execution has come to an address: all before it is counted when this returns. */
void trace_writer_arrive(struct firmware *fw, uint64_t address, uint32_t cpsr);
/* fw->exception comes after n instructions of the code_block. */
void trace_writer_except(struct firmware *fw, unsigned n);
/* The CPSR with which the next code block executes: what it says of masked interrupts, and of the
 * state that the monitor sees. */
void trace_writer_mask(struct firmware *fw, uint32_t cpsr);
/* The monitors' pins follow mode and security state. */
void trace_writer_show_world(struct firmware *fw, uint32_t cpsr);

#endif
