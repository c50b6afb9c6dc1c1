#ifndef TANDEM_CLINUX_READINESS_H
#define TANDEM_CLINUX_READINESS_H

#include <stdint.h>

/// A set of descriptors that are waited for; negative on failure.
int tandem_ready_open(void);

/// Adds a descriptor, not waited for yet. `id` comes back with its events. 0, or the negative errno.
int tandem_ready_add(int set, int descriptor, uint64_t id);

/// Waits for the descriptor once: until it can be read, or written where `writes` is not 0. 0, or the negative errno.
int tandem_ready_arm(int set, int descriptor, uint64_t id, int writes);

/// Takes a descriptor out. 0, or the negative errno.
int tandem_ready_remove(int set, int descriptor);

/// Waits until something is ready and gives the ids. How many they are, or the negative errno.
int tandem_ready_wait(int set, uint64_t *ids, int count);

#endif
