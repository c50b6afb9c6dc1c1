import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Files and folders that are on disk when a call returns. Blocks.
enum DurableFiles {
    /// Writes a file of its owner's alone, whole or not at all.
    static func write(_ bytes: [UInt8], to url: URL) throws {
        let folder = url.deletingLastPathComponent()
        let partial = folder.appending(path: ".partial-\(UUID().uuidString)")
        try make(partial)
        do {
            let handle = try FileHandle(forWritingTo: partial)
            try handle.write(contentsOf: Data(bytes))
            try handle.synchronize()
            try handle.close()
            guard rename(partial.path, url.path) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        } catch {
            try? FileManager.default.removeItem(at: partial)  // the error says more
            throw error
        }
        try sync(folder)
    }

    /// Makes an empty file of its owner's alone, which is not durable yet.
    ///
    /// - Throws: `POSIXError`, `EEXIST` where something is there already.
    static func make(_ url: URL) throws {
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        _ = close(descriptor)  // nothing was written
    }

    /// Syncs a file, or the names in a folder.
    static func sync(_ url: URL) throws {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        defer { _ = close(descriptor) }  // it only read
        #if canImport(Darwin)
            // fsync leaves bytes in the drive's own cache there.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        // Some file systems have no sync of folders, and then no way to lose a name alone.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    /// Syncs every file below a folder, and then the folders, the innermost first.
    static func syncTree(_ folder: URL) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let url = folder.appending(path: name)
            let type = try FileManager.default.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType
            if type == .typeDirectory { try syncTree(url) } else { try sync(url) }
        }
        try sync(folder)
    }
}
