import Synchronization

#if canImport(Glibc)
    import CLinux
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file of this machine. A closed one answers every call with ``GenerationsError/failed(operation:path:code:)``, EBADF.
final class SystemStoreFile: StoreFile {
    /// Nil once it is closed.
    private let descriptor: Mutex<Int32?>
    /// Bytes after which the disk begins with what was written: all of a move's files would else wait for one synchronization, and the disk for them.
    private static let stretch: UInt64 = 8 << 20
    private let path: String

    init(_ descriptor: Int32, path: String) {
        self.descriptor = Mutex(descriptor)
        self.path = path
    }

    deinit { close() }

    private func call<Result>(
        _ operation: String,
        _ body: (Int32) throws(GenerationsError) -> Result
    ) throws(GenerationsError) -> Result {
        try descriptor.withLock { descriptor throws(GenerationsError) in
            guard let descriptor else { throw .failed(operation: operation, path: path, code: EBADF) }
            return try body(descriptor)
        }
    }

    func read(_ count: Int, at offset: UInt64) throws(GenerationsError) -> [UInt8] {
        try call("read") { descriptor throws(GenerationsError) in
            let wanted = min(count, try remainder(of: descriptor, from: offset))
            var failure: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
                while filled < wanted {
                    let rest = UnsafeMutableBufferPointer(rebasing: buffer[filled..<wanted])
                    let got = pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(filled))
                    if got < 0, errno == EINTR { continue }
                    if got < 0 { failure = errno }
                    if got <= 0 { break }
                    filled += got
                }
            }
            guard failure == 0 else { throw GenerationsError(code: failure, "read", path) }
            return bytes
        }
    }

    /// Bytes from `offset` to the end of the file, so that no more is allocated than there is.
    private func remainder(of descriptor: Int32, from offset: UInt64) throws(GenerationsError) -> Int {
        let size = try Self.size(of: descriptor, path)
        return size > offset ? Int(size - offset) : 0
    }

    func write(_ bytes: ArraySlice<UInt8>, at offset: UInt64) throws(GenerationsError) {
        try call("write") { descriptor throws(GenerationsError) in
            guard let start = off_t(exactly: offset) else { throw GenerationsError(code: EFBIG, "write", path) }
            let failure = bytes.withUnsafeBytes { buffer -> Int32 in
                var written = 0
                while written < buffer.count {
                    let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
                    let count = pwrite(descriptor, rest.baseAddress, rest.count, start + off_t(written))
                    if count < 0, errno == EINTR { continue }
                    if count < 0 { return errno }
                    written += count
                }
                return 0
            }
            guard failure == 0 else { throw GenerationsError(code: failure, "write", path) }
            let end = offset + UInt64(bytes.count)
            if end / Self.stretch > offset / Self.stretch { Self.beginSynchronizing(descriptor) }
        }
    }

    /// Promises nothing: ``synchronize()`` and the store's own synchronization do, and find less to wait for.
    private static func beginSynchronizing(_ descriptor: Int32) {
        #if canImport(Glibc)
            tandem_begin_synchronizing(descriptor)
        #endif
    }

    func truncate(to size: UInt64) throws(GenerationsError) {
        try call("truncate") { descriptor throws(GenerationsError) in
            guard let size = off_t(exactly: size), ftruncate(descriptor, size) == 0 else {
                throw GenerationsError(code: errno, "truncate", path)
            }
        }
    }

    func synchronize() throws(GenerationsError) {
        try call("synchronize") { descriptor throws(GenerationsError) in
            try Self.synchronize(descriptor, path)
        }
    }

    func size() throws(GenerationsError) -> UInt64 {
        try call("look at") { descriptor throws(GenerationsError) in try Self.size(of: descriptor, path) }
    }

    func close() {
        descriptor.withLock { descriptor in
            if let open = descriptor {
                Self.beginSynchronizing(open)
                _ = systemClose(open)  // what has to last is synchronized by its owner
            }
            descriptor = nil
        }
    }

    private static func size(of descriptor: Int32, _ path: String) throws(GenerationsError) -> UInt64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw GenerationsError(code: errno, "look at", path) }
        return UInt64(max(0, status.st_size))
    }

    /// Synchronizes a file or a folder.
    static func synchronize(_ descriptor: Int32, _ path: String) throws(GenerationsError) {
        #if canImport(Darwin)
            // fsync leaves bytes in the drive's own cache there. Disks that know no such call have fsync.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        // Some file systems have no sync of folders, and then no way to lose a name alone.
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw GenerationsError(code: errno, "synchronize", path)
        }
    }
}

/// The system's call; the class's method has its name.
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
