#include "CLinuxMemory.h"

#include <errno.h>
#include <malloc.h>

int tandem_keep_freed_memory(int largest, int total) {
    return mallopt(M_MMAP_THRESHOLD, largest) && mallopt(M_TRIM_THRESHOLD, total) ? 0 : -EINVAL;
}
