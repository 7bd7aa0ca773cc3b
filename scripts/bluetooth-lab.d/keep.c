// For btvirt alone, which uses timers that it has freed (BlueZ 5.66, src/shared/mainloop.c): where two are due at once, and
// the first ends the second, as at the end of an inquiry. On a busy computer that is a matter of minutes. What is kept can
// be used; all that btvirt frees while a machine runs is some hundred kilobytes.
void free(void *memory) { (void)memory; }
