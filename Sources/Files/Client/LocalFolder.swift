import Transfers

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder of the phone, held open. Names below it are opened one by one and never through a link, so nothing a desktop says leads out.
final class LocalFolder: Sendable {
    let path: String
    let descriptor: Int32
    /// The umask of the person whose folder it is: taken from the permissions of what arrives.
    let mask: UInt32

    private init(_ descriptor: Int32, path: String, mask: UInt32) {
        self.descriptor = descriptor
        self.path = path
        self.mask = mask
    }

    deinit { close(descriptor) }

    /// - Parameters:
    ///   - path: The person's own words, as ``FileNameText`` writes them: links in it are followed.
    ///   - mask: The person's umask.
    static func open(_ path: String, mask: UInt32 = ArrivingMode.usualMask) throws(FileError) -> LocalFolder {
        let descriptor = withPath(FileNameText.bytes(path)) { systemOpen($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw FileError(errno: errno, path: path, on: .thisDevice) }
        return LocalFolder(descriptor, path: path, mask: mask)
    }

    /// Where a link leads in the end, as ``FileNameText`` writes it.
    ///
    /// - Parameter path: The person's own words.
    static func target(of path: String) throws(FileError) -> String {
        guard let real = withPath(FileNameText.bytes(path), { realpath($0, nil) }) else {
            throw FileError(errno: errno, path: path, on: .thisDevice)
        }
        defer { free(real) }
        return FileNameText.text(UnsafeRawBufferPointer(start: real, count: strlen(real)))
    }

    func folder(_ name: [UInt8]) throws(FileError) -> LocalFolder {
        let text = try text(name)
        let child = withName(name) { openat(descriptor, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
        guard child >= 0 else { throw FileError(errno: errno, path: text, on: .thisDevice) }
        return LocalFolder(child, path: text, mask: mask)
    }

    /// Opens a folder, which is made where it is missing.
    ///
    /// - Parameter permissions: Those of the folder that it is made for; nil where they are not known.
    func makeFolder(_ name: [UInt8], permissions: UInt32?) throws(FileError) -> LocalFolder {
        let text = try text(name)
        let isNew = withName(name) { mkdirat(descriptor, $0, 0o700) } == 0
        guard isNew || errno == EEXIST else { throw FileError(errno: errno, path: text, on: .thisDevice) }
        let made = try folder(name)
        // This process's own mask is stricter than its person's.
        if isNew, fchmod(made.descriptor, mode_t(ArrivingMode.folder(permissions, mask: mask))) != 0 {
            throw FileError(errno: errno, path: text, on: .thisDevice)
        }
        return made
    }

    /// A regular file to read.
    func file(_ name: [UInt8]) throws(FileError) -> LocalFile {
        try opened(name, O_RDONLY | O_NONBLOCK)
    }

    /// - Parameter holes: The parts that are not to be stored.
    func makePart(_ name: [UInt8], size: Int64, holes: ByteRanges = ByteRanges()) throws(FileError) -> LocalFile {
        let part = try opened(name, O_RDWR | O_CREAT | O_EXCL)
        do {
            try part.allocate(size, holes: holes)
        } catch {
            try part.discard()
            throw error
        }
        return part
    }

    func openPart(_ name: [UInt8]) throws(FileError) -> LocalFile { try opened(name, O_RDWR | O_NONBLOCK) }

    private func opened(_ name: [UInt8], _ flags: Int32) throws(FileError) -> LocalFile {
        // A part is reported under the name that people know.
        let text = try text(PartName.shown(name))
        // Looked at first: opening alone already does something to a FIFO or a device.
        if flags & O_CREAT == 0, let kind = try status(of: name)?.kind, kind != .file {
            throw kind == .folder ? .isAFolder(text) : .notOrdinary(text, kind)
        }
        let child = withName(name) { openat(descriptor, $0, flags | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC, 0o600) }
        guard child >= 0 else { throw FileError(errno: errno, path: text, on: .thisDevice) }
        let file = LocalFile(child, name: name, folder: self, path: text)
        let kind = try file.status().kind
        guard kind == .file else { throw .notOrdinary(text, kind) }
        return file
    }

    /// The status of the name itself, links not followed; nil when nothing has it.
    func status(of name: [UInt8]) throws(FileError) -> FileStatus? {
        var found = stat()
        guard withName(name, { fstatat(descriptor, $0, &found, AT_SYMLINK_NOFOLLOW) }) == 0 else {
            if errno == ENOENT { return nil }
            throw FileError(errno: errno, path: path, on: .thisDevice)
        }
        return FileStatus(found)
    }

    func names(limit: Int) throws(FileError) -> [[UInt8]] {
        // A descriptor of its own: reading moves its position, and closing the stream closes it.
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else {
            throw FileError(errno: errno, path: path, on: .thisDevice)
        }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: UInt8.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
                    Array(UnsafeBufferPointer(start: $0, count: strlen($0)))
                }
            }
            if name == [0x2E] || name == [0x2E, 0x2E] { continue }
            names.append(name)
            guard names.count <= limit else { throw .tooManyEntries(path, limit: limit) }
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Gives a part its name, all at once, and for good.
    func finish(_ part: [UInt8], as name: [UInt8], replacing: Bool) throws(FileError) {
        try self.name(part, as: name, replacing: replacing)
        try synchronizeNames()
    }

    /// Gives a part its name, all at once; that needs not be on the disk when this returns.
    func name(_ part: [UInt8], as name: [UInt8], replacing: Bool) throws(FileError) {
        let text = try text(name)
        guard replacing else { return try finishWithoutReplacing(part, as: name, named: text) }
        let result = withName(part) { part in withName(name) { renameat(descriptor, part, descriptor, $0) } }
        guard result == 0 else { throw FileError(errno: errno, path: text, on: .thisDevice) }
    }

    /// Returns when the names in it survive a power cut.
    func synchronizeNames() throws(FileError) {
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw FileError(errno: errno, path: path, on: .thisDevice)
        }
    }

    private func finishWithoutReplacing(_ part: [UInt8], as name: [UInt8], named text: String) throws(FileError) {
        // A second name and then away with the first: the portable way that never replaces a file.
        if withName(part, { part in withName(name) { linkat(descriptor, part, descriptor, $0, 0) } }) == 0 {
            return try remove(part)
        }
        guard ![EEXIST, ENOENT, ENOSPC, EDQUOT, EIO, EROFS].contains(errno) else {
            throw FileError(errno: errno, path: text, on: .thisDevice)
        }
        // FAT, FUSE and Android's shared storage know one name for a file. All that is left is to look first: a file that comes in
        // between is replaced.
        guard try status(of: name) == nil else { throw .exists(text) }
        let result = withName(part) { part in withName(name) { renameat(descriptor, part, descriptor, $0) } }
        guard result == 0 else { throw FileError(errno: errno, path: text, on: .thisDevice) }
    }

    func remove(_ name: [UInt8]) throws(FileError) {
        guard withName(name, { unlinkat(descriptor, $0, 0) }) == 0 || errno == ENOENT else {
            throw FileError(errno: errno, path: path, on: .thisDevice)
        }
    }

    private func text(_ name: [UInt8]) throws(FileError) -> String {
        try FileNameText.check(name)
        return text(of: name)
    }

    /// The path of a name in it, for sentences.
    func text(of name: [UInt8]) -> String { path + (path.hasSuffix("/") ? "" : "/") + FileNameText.text(name) }

    private func withName<Result>(_ name: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
        withPath(name, body)
    }
}

private func withPath<Result>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return "".withCString(body) }
        return body(start)
    }
}

/// `open` by a name that the method of that name does not hide.
private func systemOpen(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { open(path, flags) }
