"""What the disk below a folder does."""

import os
import subprocess
import time


def probe(folder, seconds=1.0):
    """How many times a second the disk takes 4 KiB for sure."""
    file = os.open(folder / "probe", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        count, end = 0, time.monotonic() + seconds
        while time.monotonic() < end:
            os.pwrite(file, bytes(4096), count * 4096 % (1 << 24))
            os.fdatasync(file)
            count += 1
        return count / seconds
    finally:
        os.close(file)


def settle(folder):
    """Returns when everything of the folder's disk is on it."""
    subprocess.run(["sync", "-f", str(folder)], check=True)


def taken(folder):
    """Bytes that a folder's files take on the disk. What is removed meanwhile counts nothing."""
    total = 0
    waiting = [folder]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    else:
                        total += entry.stat(follow_symlinks=False).st_blocks * 512
        except FileNotFoundError:
            continue
    return total
