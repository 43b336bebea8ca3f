/* Unpacks a thread's recorded trace ahead of whoever uses it, on a thread of its own, as QEMU
 * executes ahead of a core model. */
#ifndef QEMU_LAUNCHER_TRACE_AHEAD_H
#define QEMU_LAUNCHER_TRACE_AHEAD_H

#include "trace/trace_file.h"

struct trace_ahead;

/* cursor is borrowed until trace_ahead_free. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
enum armpmu_status trace_ahead_new(struct trace_cursor *cursor, struct trace_ahead **out,
                                   struct armpmu_error *err);

/* As trace_cursor_next; *records are valid until the next call, n_records 0: there are no more. */
enum armpmu_status trace_ahead_next(struct trace_ahead *ahead, const uint64_t **records,
                                    size_t *n_records, struct armpmu_error *err);

/* NULL is fine. */
void trace_ahead_free(struct trace_ahead *ahead);

#endif
