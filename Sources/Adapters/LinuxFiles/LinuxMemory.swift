import CLinux

/// The process's heap.
package enum LinuxMemory {
    /// Keeps the memory of parts of files for the next parts. By default glibc gives blocks above 128 KiB back to the system and gets
    /// them anew, zeroed page by page, which costs a transfer a quarter of its time.
    package static func keepBuffers() {
        // Refused only for sizes that no heap could have; then it is as fast as before.
        _ = tandem_keep_freed_memory(4 << 20, 32 << 20)
    }
}
