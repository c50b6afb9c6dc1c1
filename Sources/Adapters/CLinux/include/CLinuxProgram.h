#ifndef CLINUX_PROGRAM_H
#define CLINUX_PROGRAM_H

// Goes on in this process as a new start of the program at `path`: with its id, its terminal, its folder, its environment, and standard
// input, output and errors. Every other descriptor is closed with it, however it was opened, and no signal is held back: a thread of a pool
// takes none, and the new start would have its mask. `arguments` ends with NULL.
// Returns only where the system starts nothing: a negative errno. The process goes on as it was then.
int tandem_start_again(const char *path, char *const arguments[]);

#endif
