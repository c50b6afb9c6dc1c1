// What a load generator needs of Linux that Glibc's Swift module does not show.
#ifndef C_BENCHMARK_IO_H
#define C_BENCHMARK_IO_H

#include <stdint.h>
#include <sys/types.h>

struct benchmark_event {
    uint64_t token;
    int can_read;
    int can_write;
};

// An epoll instance; -1 with errno set on failure, as in every function here.
int benchmark_poller(void);
// Watches a socket for input, and for room to write where asked. `is_new` is 0 for a socket that is watched already.
int benchmark_watch(int poller, int socket, uint64_t token, int wants_write, int is_new);
int benchmark_unwatch(int poller, int socket);
// How many events came; 0 after the timeout, or when a signal came instead.
int benchmark_wait(int poller, struct benchmark_event *events, int capacity, int timeout_milliseconds);

// The number of the index-th core this process may use; -1 when there are fewer.
int benchmark_core(int index);
// Keeps the calling thread, and what it starts, on one core.
int benchmark_pin(int core);

// Starts a program on one core, with its output in a new pipe. It is ended when the caller ends, however that happens.
// `arguments` ends with a null pointer.
pid_t benchmark_spawn(char *const *arguments, int core, int *output);
// Waits for a program to end, at most that long; 1 when it has ended.
int benchmark_reap(pid_t program, int timeout_milliseconds);

// Starts a program on any core with that many descriptors to begin with, its hard limit unchanged, its output in a new pipe
// and its errors at the end of a file. It is ended when the caller ends. `arguments` ends with a null pointer.
pid_t benchmark_start(char *const *arguments, long soft_file_limit, const char *error_path, int *output);
// The signal that ended a program, 0 for an exit by itself, -1 while it runs.
int benchmark_ended_by(pid_t program);
// A socket to a port of 127.0.0.1, from another address of 127.0.0.0/8 (host byte order), that never waits: its connection is
// there when it can be written to. Closing it resets the connection, so that no port is left in TIME_WAIT.
int benchmark_connect(uint32_t source, uint16_t port);
// A socket to a Unix path, connected.
int benchmark_connect_path(const char *path);

// As many open files as the system grants; the programs started later inherit it. Returns how many.
long benchmark_raise_file_limit(void);

// Monotonic nanoseconds.
uint64_t benchmark_nanoseconds(void);

#endif
