#define _GNU_SOURCE
#include "CLinuxFiles.h"

#include <errno.h>
#include <fcntl.h>
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
    if (renameat2(from_directory, from, to_directory, to, replace ? 0 : RENAME_NOREPLACE) == 0) return 0;
    return -errno;
}

static int64_t nanoseconds(struct statx_timestamp time) {
    int64_t result;
    // A file system may hold any number here; what does not fit becomes the nearest that does.
    if (__builtin_mul_overflow(time.tv_sec, (int64_t)1000000000, &result)) return time.tv_sec < 0 ? INT64_MIN : INT64_MAX;
    if (__builtin_add_overflow(result, (int64_t)time.tv_nsec, &result)) return INT64_MAX;
    return result;
}

int tandem_file_status(int directory, const char *name, struct tandem_file_status *status) {
    struct statx found;
    int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | (name[0] == 0 ? AT_EMPTY_PATH : 0);
    if (statx(directory, name, flags, STATX_BASIC_STATS | STATX_BTIME, &found) != 0) return -errno;
    status->size = found.stx_size;
    status->inode = found.stx_ino;
    status->device = ((uint64_t)found.stx_dev_major << 32) | found.stx_dev_minor;
    status->modified_nanoseconds = nanoseconds(found.stx_mtime);
    status->accessed_nanoseconds = nanoseconds(found.stx_atime);
    status->created_nanoseconds = (found.stx_mask & STATX_BTIME) ? nanoseconds(found.stx_btime) : 0;
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

int tandem_allocate(int file, int64_t size, int64_t reserve) {
    struct statvfs space;
    int64_t needed;
    if (fstatvfs(file, &space) != 0) return -errno;
    uint64_t available = (uint64_t)space.f_bavail * space.f_frsize;
    if (__builtin_add_overflow(size, reserve, &needed) || (uint64_t)needed > available) return -ENOSPC;
    if (size == 0) return 0;
    while (fallocate(file, 0, 0, size) != 0) {
        if (errno == EINTR) continue;
        // A file system that cannot reserve: the check above was all there is.
        if (errno == EOPNOTSUPP) return ftruncate(file, size) == 0 ? 0 : -errno;
        return -errno;
    }
    return 0;
}
