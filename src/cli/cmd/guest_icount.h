/* QEMU's command line where its clock counts instructions. */
#ifndef CLI_CMD_GUEST_ICOUNT_H
#define CLI_CMD_GUEST_ICOUNT_H

/* Warns of -icount without what makes two runs the same. argv: QEMU and its arguments, NULL last.
 */
void guest_icount_warn(const char *const *argv);

#endif
