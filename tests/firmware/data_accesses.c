/* Accesses to a table and to the board's devices. data_accesses.py has the arithmetic. */
#define DEVICES 0xff000000ul

volatile unsigned __attribute__((aligned(32))) table[256];

void _start(void)
{
    volatile unsigned *const status = (volatile unsigned *)DEVICES;
    volatile unsigned *const console = (volatile unsigned *)(DEVICES + 0x800);
    volatile unsigned *const leave = (volatile unsigned *)(DEVICES + 0x804);

    for (unsigned turn = 0; turn < 10; turn++)
        for (unsigned i = 0; i < 256; i++)
            table[i]++;
    for (unsigned i = 0; i < 50; i++)
        *console = '0' + (*status & 1);
    *leave = 0;
    for (;;)
        ;
}
