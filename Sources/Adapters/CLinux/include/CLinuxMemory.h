#ifndef CLINUX_MEMORY_H
#define CLINUX_MEMORY_H

// Keeps up to `total` freed bytes of each heap for later, also of blocks of up to `largest` bytes, instead of giving them back to the
// system at once. 0, or -EINVAL.
int tandem_keep_freed_memory(int largest, int total);

#endif
