#ifndef CLINUX_FOREGROUND_H
#define CLINUX_FOREGROUND_H

#include <sys/types.h>

// Starts a program with this process's own input, output, errors and process group, looked up in PATH. What this process is sent from then
// on to end or to tell it something is passed to the program; what a terminal sends went to both already. One program at a time.
// Returns its process id, or a negative errno.
pid_t tandem_foreground_start(char *const arguments[]);

// Waits for it on the calling thread, and takes signals as before from then on. `status` is as waitpid's. 0, or a negative errno.
int tandem_foreground_wait(pid_t program, int *status);

#endif
