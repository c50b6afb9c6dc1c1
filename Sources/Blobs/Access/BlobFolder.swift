package import Foundation
import Kernel
package import Transfers

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A store's folder on a disk: `parts/` for what arrives, and `objects/` with a file for each blob at its key.
package final class BlobFolder: BlobDisk {
    private let partFolder: HeldFolder
    private let objectFolder: HeldFolder

    /// Makes the folder and what belongs in it, where it is missing.
    ///
    /// - Throws: `StateFolderError`, `FileError`.
    package init(_ url: URL) throws {
        try StateFolder.makeClosedFolder(url)
        let root = try HeldFolder.open(url.path)
        partFolder = try root.folder(["parts"], making: true)
        objectFolder = try root.folder(["objects"], making: true)
    }

    package func makePart(_ id: String, size: Int64) throws(FileError) -> any PartialFile {
        let file = try partFolder.file(id, O_RDWR | O_CREAT | O_EXCL)
        do {
            try file.allocate(size)
            // An offset is promised for a file that is found again.
            try partFolder.synchronizeNames()
        } catch {
            try partFolder.remove(id)
            throw error
        }
        return BlobPart(file: file, objects: objectFolder)
    }

    package func openPart(_ id: String) throws(FileError) -> any PartialFile {
        BlobPart(file: try partFolder.file(id, O_RDWR), objects: objectFolder)
    }

    package func removePart(_ id: String) throws(FileError) { try partFolder.remove(id) }

    package func parts() throws(FileError) -> [BlobDiskEntry] { try entries(of: partFolder, prefix: "") }

    package func open(_ key: BlobKey) throws(FileError) -> any ReadableFile {
        try objectFolder.folder(key.parts.dropLast()).file(key.name, O_RDONLY)
    }

    package func size(of key: BlobKey) throws(FileError) -> Int64? {
        do throws(FileError) {
            guard let status = try objectFolder.folder(key.parts.dropLast()).status(of: key.name) else { return nil }
            return status.kind == .file ? status.size : nil
        } catch .notFound {
            return nil
        }
    }

    package func remove(_ key: BlobKey) throws(FileError) {
        do throws(FileError) {
            try objectFolder.folder(key.parts.dropLast()).remove(key.name)
        } catch .notFound {
            // Its folder was never made.
        }
    }

    package func days(in folder: String) throws(FileError) -> [String] {
        let root: HeldFolder
        do throws(FileError) {
            root = try objectFolder.folder(folder.split(separator: "/"))
        } catch .notFound {
            return []
        }
        var days = [(path: folder, folder: root)]
        for length in [4, 2, 2] {
            var below: [(path: String, folder: HeldFolder)] = []
            for (path, folder) in days {
                for name in try folder.names() where name.utf8.count == length {
                    guard try folder.status(of: name)?.kind == .folder else { continue }
                    below.append(("\(path)/\(name)", try folder.folder([name])))
                }
            }
            days = below
        }
        return days.map(\.path)
    }

    package func objects(of day: String) throws(FileError) -> [BlobDiskEntry] {
        try entries(of: try objectFolder.folder(day.split(separator: "/")), prefix: day + "/")
    }

    private func entries(of folder: HeldFolder, prefix: String) throws(FileError) -> [BlobDiskEntry] {
        var entries: [BlobDiskEntry] = []
        for name in try folder.names() {
            // It may be gone by now.
            guard let status = try folder.status(of: name), status.kind == .file else { continue }
            entries.append(
                BlobDiskEntry(name: prefix + name, modifiedMilliseconds: status.modified.milliseconds)
            )
        }
        return entries
    }
}

/// What arrives, in `parts/`.
private struct BlobPart: PartialFile {
    let file: HeldFile
    let objects: HeldFolder

    func status() throws(FileError) -> FileStatus { try file.status() }

    func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] { try file.read(at: offset, count: count) }

    func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(FileError) { try file.write(bytes, at: offset) }

    func synchronize() throws(FileError) { try file.synchronize() }

    func isInPlace() throws(FileError) -> Bool {
        let own = try file.status()
        guard let named = try file.folder.status(of: file.name) else { return false }
        return (named.device, named.inode) == (own.device, own.inode)
    }

    /// Takes the key as the name. Keys are never minted twice, so there is nothing to replace; permissions and date stay as they are.
    func finish(as name: [UInt8], replacing: Bool, permissions: UInt32?, modifiedMilliseconds: Int64?) throws(FileError)
    {
        let text = String(decoding: name, as: UTF8.self)
        guard let key = BlobKey(text) else { throw .badName(text) }
        let folder = try objects.folder(key.parts.dropLast(), making: true)
        try file.folder.rename(file.name, to: key.name, in: folder)
    }

    func discard() throws(FileError) { try file.folder.remove(file.name) }
}
