#define _GNU_SOURCE
#include "CLinuxFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

int tandem_open_beneath(int directory, const char *path, int how, int no_links) {
    struct open_how open_how;
    memset(&open_how, 0, sizeof open_how);
    switch (how) {
    case TANDEM_OPEN_LOOK: open_how.flags = O_PATH; break;
    case TANDEM_OPEN_LOOK_AT_LINK: open_how.flags = O_PATH | O_NOFOLLOW; break;
    case TANDEM_OPEN_FOLDER: open_how.flags = O_RDONLY | O_DIRECTORY; break;
    case TANDEM_OPEN_READ: open_how.flags = O_RDONLY | O_NONBLOCK | O_NOCTTY; break;
    case TANDEM_OPEN_WRITE: open_how.flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY; break;
    case TANDEM_OPEN_CREATE:
        open_how.flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW;
        open_how.mode = 0600;
        break;
    default: return -EINVAL;
    }
    open_how.flags |= O_CLOEXEC;
    open_how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | (no_links ? RESOLVE_NO_SYMLINKS : 0);
    // The kernel gives up with EAGAIN when a rename elsewhere raced a "..": it is safe to ask again, but not for ever.
    for (int tries = 0; tries < 128; tries++) {
        long result = syscall(SYS_openat2, directory, path, &open_how, sizeof open_how);
        if (result >= 0) return (int)result;
        if (errno != EAGAIN && errno != EINTR) return -errno;
    }
    return -EAGAIN;
}

int tandem_look(int directory, const char *path, int real_folder) {
    int result = openat(directory, path, O_PATH | O_CLOEXEC | (real_folder ? O_DIRECTORY | O_NOFOLLOW : 0));
    return result >= 0 ? result : -errno;
}

int tandem_rename(int from_directory, const char *from, int to_directory, const char *to, int replace) {
    if (replace) return renameat2(from_directory, from, to_directory, to, 0) == 0 ? 0 : -errno;
    if (renameat2(from_directory, from, to_directory, to, RENAME_NOREPLACE) == 0) return 0;
    // NFS, FUSE and others know no such flag; so does a folder that is to move into itself, which the last call says again.
    if (errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP) return -errno;
    // A second name, and then away with the first: it never replaces anything either.
    if (linkat(from_directory, from, to_directory, to, 0) == 0) {
        if (unlinkat(from_directory, from, 0) == 0) return 0;
        int failure = errno;
        unlinkat(to_directory, to, 0);
        return -failure;
    }
    if (errno == EEXIST || errno == ENOENT || errno == EXDEV) return -errno;
    // FAT, and folders everywhere, have one name only. All that is left is to look first: a file that comes in between is replaced.
    struct stat found;
    if (fstatat(to_directory, to, &found, AT_SYMLINK_NOFOLLOW) == 0) return -EEXIST;
    if (errno != ENOENT) return -errno;
    return renameat2(from_directory, from, to_directory, to, 0) == 0 ? 0 : -errno;
}

static struct tandem_file_time file_time(struct statx_timestamp time) {
    struct tandem_file_time result = {time.tv_sec, time.tv_nsec};
    return result;
}

int tandem_file_status(int directory, const char *name, struct tandem_file_status *status) {
    struct statx found;
    int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | (name[0] == 0 ? AT_EMPTY_PATH : 0);
    if (statx(directory, name, flags, STATX_BASIC_STATS | STATX_BTIME, &found) != 0) return -errno;
    status->size = found.stx_size;
    status->inode = found.stx_ino;
    status->device = ((uint64_t)found.stx_dev_major << 32) | found.stx_dev_minor;
    status->modified = file_time(found.stx_mtime);
    status->accessed = file_time(found.stx_atime);
    status->created = file_time(found.stx_btime);
    status->has_created = (found.stx_mask & STATX_BTIME) != 0;
    status->mode = found.stx_mode;
    status->owner = found.stx_uid;
    return 0;
}

ssize_t tandem_read_folder(int folder, void *buffer, size_t size) {
    long count = syscall(SYS_getdents64, folder, buffer, size);
    return count >= 0 ? (ssize_t)count : -errno;
}

int tandem_is_kernel_file(int file) {
    struct statfs found;
    if (fstatfs(file, &found) != 0) return -errno;
    switch ((uint32_t)found.f_type) {
    case 0x00009fa0:  // proc
    case 0x62656572:  // sysfs
    case 0x64626720:  // debugfs
    case 0x74726163:  // tracefs
    case 0x73636673:  // securityfs
    case 0x0027e0eb:  // cgroup
    case 0x63677270:  // cgroup2
    case 0x62656570:  // configfs
    case 0xcafe4a11:  // bpf
    case 0x6165676c:  // pstore
    case 0xde5e81e4:  // efivarfs
    case 0x00001cd1:  // devpts
    case 0x42494e4d:  // binfmt_misc
    case 0xf97cff8c:  // selinux
        return 1;
    default: return 0;
    }
}

int tandem_check_room(int file, int64_t size, int64_t reserve) {
    struct statvfs space;
    int64_t needed;
    if (fstatvfs(file, &space) != 0) return -errno;
    uint64_t available = (uint64_t)space.f_bavail * space.f_frsize;
    return __builtin_add_overflow(size, reserve, &needed) || (uint64_t)needed > available ? -ENOSPC : 0;
}

int tandem_synchronize_disk(int file) { return syncfs(file) == 0 ? 0 : -errno; }

void tandem_begin_synchronizing(int file) { (void)sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE); }

int tandem_punch(int file, int64_t offset, int64_t count) {
    while (fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, count) != 0) {
        if (errno != EINTR) return -errno;
    }
    return 0;
}

int tandem_allocate(int file, int64_t offset, int64_t count) {
    while (count > 0 && fallocate(file, 0, offset, count) != 0) {
        if (errno == EINTR) continue;
        // A file system that cannot reserve: who asks has looked whether there is room, and that is all there is.
        if (errno == EOPNOTSUPP) break;
        return -errno;
    }
    return 0;
}
