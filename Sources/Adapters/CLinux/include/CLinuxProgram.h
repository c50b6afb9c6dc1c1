#ifndef CLINUX_PROGRAM_H
#define CLINUX_PROGRAM_H

// Notes which signals whoever started this process has it ignore, as nohup does with SIGHUP. Called before anything changes that.
void tandem_note_start(void);

// Goes on in this process as a new start of the program at `path`: with its id, its terminal, its folder, its environment, and standard
// input, output and errors. Every other descriptor is closed with it, however it was opened, and no signal is held back: a thread of a pool
// takes none, and the new start would have its mask. Signals are ignored there that were at `tandem_note_start`, and no others: a new start
// has no handler, and takes over what is ignored. `arguments` ends with NULL.
// Returns only where the system starts nothing: a negative errno. Descriptors and signals stay as they were made
// for the start: the process is to end.
int tandem_start_again(const char *path, char *const arguments[]);

#endif
