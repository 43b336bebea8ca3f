#!/bin/sh
# A firmware developer: from the first instruction to counters that the program reads itself.
. "$(dirname "$0")/journey.sh"
needs arm-linux-gnueabihf-gcc arm-linux-gnueabihf-objcopy

build() {
    try 0 arm-linux-gnueabihf-gcc -mcpu=cortex-a8 -nostdlib -static -Wl,-Ttext=0x8000,--build-id=none,-z,max-page-size=0x1000 "$1.S" -o "$1.elf"
}

# A first program that ends nowhere, and one that waits for nobody.
printf '.global _start\n_start: mov r0, #1\n b .\n' >loop.S
build loop
try 123 armpmu run loop.elf
says 'goes to itself with interrupts masked: end the program by'
printf '.global _start\n_start: wfi\n b .\n' >wait.S
build wait
try 123 armpmu run wait.elf
says 'waits for an interrupt'

# Hard float, and nobody has switched the FPU on.
printf '.fpu vfpv3\n.global _start\n_start: vmov s0, r0\n b .\n' >float.S
build float
try 123 armpmu run float.elf
says 'FPU.s, which is off after a reset: enable it first' 'or build with -mfloat-abi=soft'

# One that counts its own instructions: PMNC.E and the counter of event 8.
cat >count.S <<'END'
.syntax unified
.global _start
_start:
    mov r0, #0
    mcr p15, 0, r0, c9, c12, 5      @ counter 0
    mov r0, #8
    mcr p15, 0, r0, c9, c13, 1      @ counts instructions
    mov r0, #1
    mcr p15, 0, r0, c9, c12, 1      @ is enabled
    mcr p15, 0, r0, c9, c12, 0      @ and so are all
    mov r1, #100
1:  subs r1, r1, #1
    bne 1b
    mrc p15, 0, r2, c9, c13, 2
    sub r0, r2, #201                @ the MOV and 100 turns of 2
    ldr r1, =0xff000804
    str r0, [r1]
    b .
END
build count
try 0 armpmu run --trace-regs count.elf
says 'PMNC'
try 0 armpmu stat --engine unicorn -e instructions,cycles count.elf
says 'INST_RETIRED'

# The same from the file that goes to flash.
for form in binary ihex srec; do
    try 0 arm-linux-gnueabihf-objcopy -O "$form" count.elf "count.$form"
done
try 0 armpmu run --load 0x8000 count.binary
try 0 armpmu run --load 0 count.ihex
try 0 armpmu run --load 0 count.srec
printf ':0400000001020304F3\n' >bad.hex
try 126 armpmu run --load 0 bad.hex
says "'bad.hex' line 1: its checksum is 0xf3, not 0xf2"

# What was written to the register, in words.
try 0 armpmu regs decode cortex-a8 PMNC 0x1
says 'E .*1'
