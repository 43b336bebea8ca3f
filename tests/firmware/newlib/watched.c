/* Linked to a program: an overflow could interrupt from the start, so that every instruction is
 * looked at; the other way the same instruction changes nothing. */
__attribute__((constructor)) static void watch(void)
{
#if WATCHED
    __asm__ volatile("mcr p15, 0, %0, c9, c14, 1" ::"r"(0x80000000)); /* INTENS */
#else
    __asm__ volatile("mcr p15, 0, %0, c9, c14, 2" ::"r"(0x80000000)); /* INTENC */
#endif
}
