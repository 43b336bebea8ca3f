/* The virtual address of an access, from its physical address.
 *
 * Unicorn 2.0.x tells hooks of accesses the address that the program uses, 2.1.x the one that
 * translation made of it. The models need the program's address, so with 2.1.x it is computed from
 * the instruction and its registers, which still have their values from before it.
 *
 * Assumes: fw->shows_physical, as library_version.h has it. An instruction whose address is not
 * known ends the program where a Cortex-A8's page has moved; on the other cores, whose tables are
 * not walked, it is taken to be where the memory is. */
#ifndef UNICORN_VIRTUAL_ADDRESS_H
#define UNICORN_VIRTUAL_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

struct firmware;
struct hook;

/* The address of an access or a preload, by its sum and the registers. */
uint32_t virtual_address_of_sum(const struct firmware *fw, const struct hook *insn, uint32_t cpsr);

/* The same of A64. */
uint64_t virtual_address64(const struct firmware *fw, const struct hook *insn);

/* The first access of an instruction of the code block. physical: as the library has it. */
uint64_t virtual_address(struct firmware *fw, unsigned index, uint64_t physical);

/* Returns whether an access that the library has at an address is that at another, where one is
 * due. */
bool virtual_address_is(struct firmware *fw, uint64_t physical, uint64_t due);

#endif
