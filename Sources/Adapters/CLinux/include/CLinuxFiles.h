#ifndef CLINUX_FILES_H
#define CLINUX_FILES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Every function returns a value of 0 or above, or a negative errno.

enum {
    // Only to look at what is there: nothing is opened, so no device or FIFO notices.
    TANDEM_OPEN_LOOK = 0,
    // The same, and a link at the end is looked at itself.
    TANDEM_OPEN_LOOK_AT_LINK = 1,
    TANDEM_OPEN_FOLDER = 2,
    TANDEM_OPEN_READ = 3,
    TANDEM_OPEN_WRITE = 4,
    // A new file, for its owner only; -EEXIST when the name is taken.
    TANDEM_OPEN_CREATE = 5
};

// Opens `path` below `directory` and never outside of it, whatever the links on the way say (openat2, RESOLVE_BENEATH without magic
// links): -EXDEV when it leads out. With `no_links` any link on the way is -ELOOP.
int tandem_open_beneath(int directory, const char *path, int how, int no_links);

// Opens a path for looking only, wherever it leads. With `real_folder` anything but a folder, and a link to one, is refused.
int tandem_look(int directory, const char *path, int real_folder);

// Without `replace` a taken name is -EEXIST.
int tandem_rename(int from_directory, const char *from, int to_directory, const char *to, int replace);

// Seconds since 1970-01-01T00:00:00Z, negative before, and nanoseconds after them.
struct tandem_file_time {
    int64_t seconds;
    uint32_t nanoseconds;
};

struct tandem_file_status {
    uint64_t size;
    uint64_t inode;
    uint64_t device;
    struct tandem_file_time modified;
    struct tandem_file_time accessed;
    struct tandem_file_time created;
    // 0 where the file system does not keep when it was created.
    uint32_t has_created;
    uint32_t mode;
    uint32_t owner;
};

// Of `name` in `directory`, a link itself; of the open file when `name` is empty.
int tandem_file_status(int directory, const char *name, struct tandem_file_status *status);

// Fills `buffer` with entries as the kernel writes them (linux_dirent64). 0 at the end.
ssize_t tandem_read_folder(int folder, void *buffer, size_t size);

// 1 for files that the kernel makes up (proc, sysfs and their kind), whose size says nothing and whose reading can do things.
int tandem_is_kernel_file(int file);

// -ENOSPC when the disk that `file` is on has no room for `size` bytes more, or less than `reserve` bytes would stay free.
int tandem_check_room(int file, int64_t size, int64_t reserve);

// Everything that was written to the file system that `file` is on, by whomever, is on the disk when this returns.
int tandem_synchronize_disk(int file);

// Lets the disk begin with what was written into a file, and does not wait for it: whoever waits later waits for little. A file system that cannot
// begins when it is waited for.
void tandem_begin_synchronizing(int file);

// Gives the space of bytes in the middle of a file back to the disk: they are zeros from then on, and the file keeps its size. -EOPNOTSUPP where the
// file system has no holes.
int tandem_punch(int file, int64_t offset, int64_t count);

// Reserves the space for bytes of a file, which becomes so long where it was shorter; -ENOSPC when it is not there. A file system that cannot
// reserve leaves the file as it is.
int tandem_allocate(int file, int64_t offset, int64_t count);

#endif
