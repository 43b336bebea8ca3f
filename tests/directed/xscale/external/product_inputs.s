@ What the product around the core drives: each rising edge is one event.
@ proves: 0x10 a rising edge on the product's input 0 is one event
@ proves: 0x11 a rising edge on the product's input 1 is one event
@ proves: 0x12 a rising edge on the product's input 2 is one event
@ proves: 0x13 a rising edge on the product's input 3 is one event
@ proves: 0x14 a rising edge on the product's input 4 is one event
@ proves: 0x15 a rising edge on the product's input 5 is one event
@ proves: 0x16 an input that stays high is one event, however long
@ proves: 0x17 a rising edge on the product's input 7 is one event
@ engine: bare
@ pin: PRODUCT0=every:100i
@ pin: PRODUCT1=every:200i
@ pin: PRODUCT2=every:300i
@ pin: PRODUCT3=every:400i
@ pin: PRODUCT4=every:500i
@ pin: PRODUCT5=every:600i
@ pin: PRODUCT6=1
@ pin: PRODUCT7=every:700i
@ vary: N = 1000, 3000
@ expect: INSTRUCTION = 3 + 2 * N + 4
@ expect: PRODUCT0 = (7 + 2 * N) // 100
@ expect: PRODUCT1 = (7 + 2 * N) // 200
@ expect: PRODUCT2 = (7 + 2 * N) // 300
@ expect: PRODUCT3 = (7 + 2 * N) // 400
@ expect: PRODUCT4 = (7 + 2 * N) // 500
@ expect: PRODUCT5 = (7 + 2 * N) // 600
@ expect: PRODUCT6 = 1
@ expect: PRODUCT7 = (7 + 2 * N) // 700
        .include "directed.inc"
_start: number  r8, N
loop:   repeat  r8
        finish
