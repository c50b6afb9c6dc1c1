package import Foundation

#if canImport(Glibc)
    import CLinux
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The file system of this machine below a folder. What it makes is its owner's only.
package final class SystemFileSystem: FileSystemPort {
    private let root: String
    /// The root, open from the start: the system tells a sync of a whole disk only of failures since its descriptor was opened.
    private let rootDescriptor: Int32

    /// - Parameter root: A folder that is there, such as a state folder.
    package init(_ root: URL) throws(GenerationsError) {
        self.root = root.standardizedFileURL.path
        rootDescriptor = systemOpen(self.root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard rootDescriptor >= 0 else { throw GenerationsError(code: errno, "open", self.root) }
    }

    deinit { _ = close(rootDescriptor) }

    private func full(_ path: StorePath) -> String { path == .root ? root : root + "/" + path.text }

    private func check(_ result: Int32, _ operation: String, _ path: StorePath) throws(GenerationsError) {
        guard result == 0 else { throw GenerationsError(code: errno, operation, path.text) }
    }

    package func url(of path: StorePath) -> URL { URL(fileURLWithPath: full(path)) }

    package func open(_ path: StorePath, _ opening: FileOpening) throws(GenerationsError) -> any StoreFile {
        let flags =
            switch opening {
            case .read: O_RDONLY
            case .write: O_RDWR
            case .create: O_RDWR | O_CREAT | O_EXCL
            }
        let descriptor = systemOpen(full(path), flags | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw GenerationsError(code: errno, "open", path.text) }
        return SystemStoreFile(descriptor, path: path.text)
    }

    package func makeFolder(_ path: StorePath) throws(GenerationsError) {
        try check(mkdir(full(path), 0o700), "make", path)
    }

    package func rename(_ path: StorePath, to target: StorePath) throws(GenerationsError) {
        try check(systemRename(full(path), full(target)), "rename", target)
    }

    package func removeFile(_ path: StorePath) throws(GenerationsError) {
        try check(unlink(full(path)), "remove", path)
    }

    package func removeFolder(_ path: StorePath) throws(GenerationsError) {
        try check(rmdir(full(path)), "remove", path)
    }

    package func synchronizeFolder(_ path: StorePath) throws(GenerationsError) {
        let descriptor = systemOpen(full(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw GenerationsError(code: errno, "open", path.text) }
        defer { _ = close(descriptor) }
        try SystemStoreFile.synchronize(descriptor, path.text)
    }

    package func synchronizeTree(_ path: StorePath) throws(GenerationsError) {
        #if canImport(Glibc)
            // One call for the whole disk: thousands of files one by one would take seconds.
            let result = tandem_synchronize_disk(rootDescriptor)
            guard result >= 0 else { throw GenerationsError(code: -result, "synchronize", path.text) }
        #else
            try synchronizeOneByOne(path)
        #endif
    }

    #if !canImport(Glibc)
        private func synchronizeOneByOne(_ path: StorePath) throws(GenerationsError) {
            guard let status = try status(of: path) else { return }
            guard status.kind == .folder else {
                let file = try open(path, .read)
                defer { file.close() }
                return try file.synchronize()
            }
            for name in try names(in: path, limit: .max) {
                try synchronizeOneByOne(path.appending(try StorePath(name)))
            }
            try synchronizeFolder(path)
        }
    #endif

    package func names(in path: StorePath, limit: Int) throws(GenerationsError) -> [String] {
        guard let folder = opendir(full(path)) else { throw GenerationsError(code: errno, "read", path.text) }
        defer { closedir(folder) }
        var names: [String] = []
        while names.count < limit {
            errno = 0
            guard let entry = readdir(folder) else {
                guard errno == 0 else { throw GenerationsError(code: errno, "read", path.text) }
                break
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    package func status(of path: StorePath) throws(GenerationsError) -> EntryStatus? {
        var status = stat()
        guard lstat(full(path), &status) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else { throw GenerationsError(code: errno, "look at", path.text) }
            return nil
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return EntryStatus(kind: .file, size: UInt64(max(0, status.st_size)))
        case S_IFDIR: return EntryStatus(kind: .folder, size: 0)
        default: return EntryStatus(kind: .other, size: 0)
        }
    }

    package func room() throws(GenerationsError) -> DiskRoom {
        var status = statvfs()
        guard fstatvfs(rootDescriptor, &status) == 0 else { throw GenerationsError(code: errno, "look at", root) }
        func bytes(_ blocks: some BinaryInteger) -> UInt64 {
            UInt64(blocks).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue
        }
        return DiskRoom(free: bytes(status.f_bavail), total: bytes(status.f_blocks))
    }
}

/// The system's calls; the class's methods have their names.
private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 { open(path, flags, mode) }
private func systemRename(_ path: String, _ target: String) -> Int32 { rename(path, target) }
