import Transfers

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder that is held open. Names in it are opened one by one and never through a link, so that no name leads out of it. Folders that it
/// makes are their owner's only (0700), and so are files (0600).
final class HeldFolder: Sendable {
    let path: String
    let number: Int32

    private init(_ number: Int32, path: String) {
        self.number = number
        self.path = path
    }

    deinit { close(number) }

    /// - Parameter path: The role's own, as an absolute path; links in it are followed.
    static func open(_ path: String) throws(FileError) -> HeldFolder {
        let number = systemOpen(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw FileError(errno: errno, path: path) }
        return HeldFolder(number, path: path)
    }

    /// A folder below.
    ///
    /// - Parameter making: Whether what is missing of it is made; its name survives a power cut then.
    func folder(_ names: some Sequence<some StringProtocol>, making: Bool = false) throws(FileError) -> HeldFolder {
        var folder = self
        for name in names { folder = try folder.child(String(name), making: making) }
        return folder
    }

    private func child(_ name: String, making: Bool) throws(FileError) -> HeldFolder {
        try FileNameText.check(Array(name.utf8))
        let text = path + "/" + name
        if making {
            if mkdirat(number, name, 0o700) == 0 {
                try synchronizeNames()
            } else if errno != EEXIST {
                throw FileError(errno: errno, path: text)
            }
        }
        let child = openat(number, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard child >= 0 else { throw FileError(errno: errno, path: text) }
        return HeldFolder(child, path: text)
    }

    /// Opens a regular file.
    ///
    /// - Parameter flags: As of `open`.
    func file(_ name: String, _ flags: Int32) throws(FileError) -> HeldFile {
        try FileNameText.check(Array(name.utf8))
        let text = path + "/" + name
        let child = openat(number, name, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0o600)
        guard child >= 0 else { throw FileError(errno: errno, path: text) }
        let file = HeldFile(child, name: name, folder: self)
        let kind = try file.status().kind
        guard kind == .file else { throw .notOrdinary(text, kind) }
        return file
    }

    /// The status of the name itself, links not followed; nil when nothing has it.
    func status(of name: String) throws(FileError) -> FileStatus? {
        try FileNameText.check(Array(name.utf8))
        var found = stat()
        guard fstatat(number, name, &found, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return nil }
            throw FileError(errno: errno, path: path + "/" + name)
        }
        return FileStatus(found)
    }

    /// Names in UTF-8; others are none that were made here.
    func names() throws(FileError) -> [String] {
        // A descriptor of its own: reading moves its position, and closing the stream closes it.
        let copy = openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else { throw FileError(errno: errno, path: path) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
                    String(validatingCString: $0)
                }
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Removes a name; does nothing where nothing has it.
    func remove(_ name: String) throws(FileError) {
        try FileNameText.check(Array(name.utf8))
        guard unlinkat(number, name, 0) == 0 || errno == ENOENT else {
            throw FileError(errno: errno, path: path + "/" + name)
        }
    }

    /// Gives a file of this folder another name, in the same folder or another one of the same disk, in one step that survives a power cut.
    /// What has the name is replaced.
    func rename(_ name: String, to target: String, in folder: HeldFolder) throws(FileError) {
        try FileNameText.check(Array(target.utf8))
        guard renameat(number, name, folder.number, target) == 0 else {
            throw FileError(errno: errno, path: folder.path + "/" + target)
        }
        try folder.synchronizeNames()
    }

    /// Returns when the names in it survive a power cut.
    func synchronizeNames() throws(FileError) {
        guard fsync(number) == 0 || errno == EINVAL else { throw FileError(errno: errno, path: path) }
    }
}

/// An open file of a ``HeldFolder``.
final class HeldFile: ReadableFile, SystemFile {
    let number: Int32
    let name: String
    let folder: HeldFolder
    let side = FileSide.computer

    /// Takes the descriptor over.
    init(_ number: Int32, name: String, folder: HeldFolder) {
        self.number = number
        self.name = name
        self.folder = folder
    }

    deinit { close(number) }

    var path: String { folder.path + "/" + name }

    func status() throws(FileError) -> FileStatus {
        var found = stat()
        guard fstat(number, &found) == 0 else { throw FileError(errno: errno, path: path) }
        guard let status = FileStatus(found) else { throw .unsupported("A file of this kind") }
        return status
    }

    /// Reserves room for the whole file now, where the system can promise it.
    func allocate(_ size: Int64) throws(FileError) {
        guard size > 0 else { return }
        #if canImport(Glibc)
            let failure = posix_fallocate(number, 0, off_t(size))
            guard failure == 0 else { throw FileError(errno: failure, path: path, size: size) }
        #else
            guard ftruncate(number, off_t(size)) == 0 else { throw FileError(errno: errno, path: path, size: size) }
        #endif
    }

    /// Takes the file away from other users.
    ///
    /// - Returns: Whether one of them could read it before.
    func closeToOthers() throws(FileError) -> Bool {
        guard try status().permissions & 0o077 != 0 else { return false }
        guard fchmod(number, 0o600) == 0 else { throw FileError(errno: errno, path: path) }
        return true
    }
}

/// `open` by a name that the method of that name does not hide.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }
