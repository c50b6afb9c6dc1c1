#ifndef CLINUX_FOLDER_WATCH_H
#define CLINUX_FOLDER_WATCH_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// inotify(7). Every function returns a value of 0 or above, or a negative errno.

// A descriptor that can be read whenever something changed. Not blocking, closed on exec.
int tandem_folder_watch_open(void);

// The number of the folder among those that are watched: the same for one folder under several paths. -ENOSPC when the user watches as
// many as the system allows.
int tandem_folder_watch_add(int descriptor, const char *path);

enum {
    // The content of a file changed.
    TANDEM_FOLDER_WRITTEN = 1,
    // A name came or went.
    TANDEM_FOLDER_MOVED = 2,
    // Together with the one above: of a folder.
    TANDEM_FOLDER_IS_FOLDER = 4,
    // The watched folder itself is gone or was moved away.
    TANDEM_FOLDER_GONE = 8,
    // The kernel had more to tell than it keeps.
    TANDEM_FOLDER_LOST = 16
};

struct tandem_folder_event {
    // The number of the folder; -1 when changes were lost.
    int folder;
    int what;
    // In the folder; empty for the folder itself. Points into the buffer.
    const char *name;
};

// Fills `buffer` with events as the kernel writes them, and returns how many bytes there are: 0 when none is left.
ssize_t tandem_folder_watch_read(int descriptor, void *buffer, size_t size);

// Takes the event at `offset` of `count` bytes, and moves `offset` behind it. 0 at the end.
int tandem_folder_watch_next(const void *buffer, size_t count, size_t *offset, struct tandem_folder_event *event);

// Watches the folder no more.
void tandem_folder_watch_remove(int descriptor, int folder);

#endif
