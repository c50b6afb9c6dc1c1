#ifndef TANDEM_CCONFINEMENT_H
#define TANDEM_CCONFINEMENT_H

// Gives up what a program that reads hostile bytes does not need: rlimits, Landlock, seccomp. For a program whose work is to read its
// standard input and write its standard output. Nothing of it can be taken back.

#include <stdint.h>

enum {
    TANDEM_CONFINED_LIMITS = 1,
    TANDEM_CONFINED_LANDLOCK = 2,
    TANDEM_CONFINED_SYSTEM_CALLS = 4
};

// First, while the process has one thread and still has libraries to load: closes every descriptor but the three streams, gives up the
// right to gain rights (no_new_privs), and lets the process read files only, and use no TCP port (Landlock). Returns the bits that hold.
int tandem_confine_early(void);

// Last, before the first hostile byte: at most `memory` more bytes of address space than now, no new descriptor, files of no length, no
// core, no debugger, and no system call beyond memory, threads, time and the streams (seccomp, in every thread): all others are EPERM.
// Returns the bits that hold.
int tandem_confine_fully(uint64_t memory);

// Ends the process once it has used `seconds` of processor time from now on, in all threads together.
void tandem_confine_time(uint32_t seconds);

#endif
