import Foundation
import Kernel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// New files and folders that only their owner can read, and what makes them last.
enum NewFile {
    /// A file that was not there before. Never through a link that somebody put there.
    ///
    /// - Throws: ``JournalError/notWritten(path:)``, also where something is there.
    static func open(_ url: URL) throws(JournalError) -> FileHandle {
        #if canImport(Glibc)
            let descriptor = Glibc.open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        #else
            let descriptor = Darwin.open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        #endif
        guard descriptor >= 0 else { throw .notWritten(path: url.path) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Writes a file whole or not at all, and returns when it is on the disk; one that is there is replaced.
    static func write(_ bytes: [UInt8], to url: URL) throws(JournalError) {
        let partial = url.deletingLastPathComponent()
            .appending(path: ".\(url.lastPathComponent).\(UUID.randomText())")
        let handle = try open(partial)
        do {
            try handle.write(contentsOf: bytes)
            try handle.synchronize()
            try handle.close()
            guard rename(partial.path, url.path) == 0 else { throw JournalError.notWritten(path: url.path) }
        } catch {
            try? FileManager.default.removeItem(at: partial)  // the error below is the one to report
            throw .notWritten(path: url.path)
        }
        try keepNames(in: url.deletingLastPathComponent())
    }

    /// Makes a folder and those above it.
    static func makeFolder(_ url: URL) throws(JournalError) {
        do {
            try FileManager.default.createDirectory(
                at: url,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw .notWritten(path: url.path)
        }
    }

    /// A small new file in few calls of the system: an export writes one for each story.
    ///
    /// - Throws: ``JournalError/notWritten(path:)``, also where something is there.
    static func write(_ bytes: [UInt8], toNew path: String) throws(JournalError) {
        #if canImport(Glibc)
            let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        #else
            let descriptor = Darwin.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        #endif
        guard descriptor >= 0 else { throw .notWritten(path: path) }
        let isWritten = bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count, let start = buffer.baseAddress {
                #if canImport(Glibc)
                    let count = Glibc.write(descriptor, start + written, buffer.count - written)
                #else
                    let count = Darwin.write(descriptor, start + written, buffer.count - written)
                #endif
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                written += count
            }
            return true
        }
        // A network's disk says only here that it is full.
        guard close(descriptor) == 0, isWritten else { throw .notWritten(path: path) }
    }

    /// Returns when a file's bytes are on the disk.
    static func keepBytes(of file: URL) throws(JournalError) { try synchronize(file.path) }

    /// Returns when the names in a folder are on the disk: a file that was made is found after a power cut.
    static func keepNames(in folder: URL) throws(JournalError) { try synchronize(folder.path) }

    private static func synchronize(_ path: String) throws(JournalError) {
        #if canImport(Glibc)
            let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        #else
            let descriptor = Darwin.open(path, O_RDONLY | O_CLOEXEC)
        #endif
        guard descriptor >= 0 else { throw .notWritten(path: path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .notWritten(path: path) }
    }

    /// Bytes of a file; nil for nothing, for a link and for anything else that is no file.
    static func size(of path: String) -> Int64? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }
}
