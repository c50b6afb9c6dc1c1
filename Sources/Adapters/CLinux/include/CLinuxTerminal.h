#ifndef CLINUX_TERMINAL_H
#define CLINUX_TERMINAL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Opens the master side of a new pseudo terminal, non-blocking, and writes the path of its other side to `path`.
///
/// Returns the descriptor, or the negative of an errno.
int tandem_terminal_open(uint16_t columns, uint16_t rows, char *path, size_t path_size);

/// Returns 0 or an errno.
int tandem_terminal_resize(int master, uint16_t columns, uint16_t rows);

/// Starts a program as the leader of a new session whose controlling terminal is `terminal`. It inherits nothing else.
/// Its umask is `mask`, or this process's where that is negative; its limit of open files is the one this process began with.
///
/// Returns 0 or an errno.
int tandem_terminal_spawn(
    const char *terminal,
    const char *program,
    char *const *arguments,
    char *const *environment,
    const char *folder,
    int mask,
    pid_t *process
);

/// Like ``tandem_terminal_spawn``, but without a terminal: input, output and errors of the program are `streams`, which are numbers
/// from 3 on.
///
/// Returns 0 or an errno.
int tandem_process_spawn(
    const int streams[3],
    const char *program,
    char *const *arguments,
    char *const *environment,
    const char *folder,
    int mask,
    pid_t *process
);

/// A pipe whose ends are numbers from 3 on and closed on exec: one to read and one to write. The end with the index `open_blocking` is for
/// another program and blocks; the other does not.
///
/// Returns 0 or an errno.
int tandem_pipe_open(int ends[2], int open_blocking);

/// Writes without the signal that ends a process whose reader has gone.
///
/// Returns how many bytes were written, or the negative of an errno.
ssize_t tandem_pipe_write(int pipe, const void *bytes, size_t count);

/// The soft limit of open files that this program was started with, which its terminals get; 0 where it is not known.
uint64_t tandem_terminal_first_limit(void);

/// A descriptor that can be read once the process has ended, or the negative of an errno.
int tandem_process_open(pid_t process);

/// Takes the status of a child that has ended. Exactly one of `code` and `signal` is set, the other is -1.
///
/// Returns 0, EAGAIN while it still runs, or an errno.
int tandem_process_reap(pid_t process, int *code, int *signal);

#endif
