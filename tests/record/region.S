/* Functions of known numbers of instructions; region.py has the arithmetic. */
#ifdef __aarch64__
#define COUNTER x19
#define DEPTH x0
#define SAVE stp x19, x30, [sp, #-16]!
#define RETURN ret
#define LEAVE ldp x19, x30, [sp], #16; ret
#else
.syntax unified
.arch armv5te
#define COUNTER r4
#define DEPTH r0
#define SAVE push {r4, lr}
#define RETURN bx lr
#define LEAVE pop {r4, pc}
.arm
#endif

#define FUNCTION(name) .global name; .type name, %function; .balign 4; name:
.text

/* 3 instructions. */
FUNCTION(known)
    nop
    nop
    RETURN

/* Goes to known, which returns for it. */
FUNCTION(jumper)
    nop
    b known

/* 20 calls: 10 at once, 10 by a jump in place of a call. */
FUNCTION(calls)
    SAVE
    mov COUNTER, #10
1:  bl known
    nop
    bl jumper
    subs COUNTER, COUNTER, #1
    bne 1b
    LEAVE

/* One level: 4 instructions and what it takes to leave; the last one is without the call. */
FUNCTION(down)
    SAVE
    subs DEPTH, DEPTH, #1
    bmi 1f
    bl down
1:  LEAVE
.size down, . - down

/* From opens to shuts: 2 of opens, 3 here, 1 that calls shuts; 10 times. */
FUNCTION(rounds)
    SAVE
    mov COUNTER, #10
1:  bl opens
    nop
    nop
    nop
    bl shuts
    subs COUNTER, COUNTER, #1
    bne 1b
    LEAVE

FUNCTION(opens)
    nop
    RETURN

FUNCTION(shuts)
    RETURN

#ifdef BARE
FUNCTION(start)
    ldr sp, =0x20000
    bl calls
    mov r0, #5
    bl down
    bl rounds
    mov r0, #0x18
    ldr r1, =0x20026
    svc 0x123456
#endif
.section .note.GNU-stack, "", %progbits
