import CLinux
import Foundation
import Glibc
public import Remote

/// Files through `openat2`: every path is resolved by the kernel below the open shared folder, so no link, `..` or race leads out.
public struct LinuxFileAccess: FileAccess {
    /// What stays free on a disk, so that the computer goes on working.
    static let reserve: Int64 = 64 << 20

    public let roots: FileRoots
    private let descriptors: [Descriptor]
    private let trashFolder: String

    /// - Parameters:
    ///   - folders: The shared folders, as absolute paths; empty: the home folder.
    ///   - home: The person's home folder.
    ///   - trash: Where what is deleted goes. By default `$XDG_DATA_HOME/Trash`.
    /// - Throws: ``FileError`` naming the folder that cannot be shared.
    public init(folders: [String] = [], home: String, trash: String) throws(FileError) {
        var paths: [[UInt8]] = []
        var descriptors: [Descriptor] = []
        for folder in folders.isEmpty ? [home] : folders {
            let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard number >= 0 else { throw FileError(errno: errno, path: folder) }
            descriptors.append(Descriptor(number))
            paths.append(Self.realPath(folder))
        }
        self.descriptors = descriptors
        roots = try FileRoots(folders: paths, home: Self.realPath(home))
        trashFolder = trash
    }

    /// `$XDG_DATA_HOME/Trash`, or `~/.local/share/Trash`. Source: the freedesktop.org trash specification.
    public static func defaultTrash(home: String, environment: [String: String]) -> String {
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/Trash" }
        return home + "/.local/share/Trash"
    }

    private static func realPath(_ path: String) -> [UInt8] {
        guard let real = realpath(path, nil) else { return Array(path.utf8) }
        defer { free(real) }
        return Array(UnsafeBufferPointer(start: real, count: strlen(real))).map { UInt8(bitPattern: $0) }
    }

    public func status(of location: FileLocation, followingLink: Bool) throws(FileError) -> FileStatus {
        try look(at: location, followingLink: followingLink).checkedStatus(named: roots.text(of: location))
    }

    public func openFolder(_ location: FileLocation) throws(FileError) -> any OpenFolder {
        let text = roots.text(of: location)
        let seen = try look(at: location, followingLink: true).checkedStatus(named: text)
        guard seen.kind == .folder else { throw Self.refusal(of: seen.kind, text, wanting: .folder) }
        let descriptor = try root(of: location).open(location.path, Int(TANDEM_OPEN_FOLDER), named: text)
        let opened = try descriptor.checkedStatus(named: text)
        guard opened.kind == .folder else { throw Self.refusal(of: opened.kind, text, wanting: .folder) }
        return LinuxFolder(descriptor, path: roots.path(of: location), root: try root(of: location), within: location)
    }

    public func openFile(_ location: FileLocation) throws(FileError) -> any ReadableFile {
        let text = roots.text(of: location)
        // Looked at first, since opening alone already does something to a tape or a FIFO; and again once open, since the
        // name may have become another file's meanwhile. Non-blocking, so that even then nothing hangs.
        let seen = try look(at: location, followingLink: true).checkedStatus(named: text)
        guard seen.kind == .file else { throw Self.refusal(of: seen.kind, text, wanting: .file) }
        let descriptor = try root(of: location).open(location.path, Int(TANDEM_OPEN_READ), named: text)
        let opened = try descriptor.checkedStatus(named: text)
        guard opened.kind == .file else { throw Self.refusal(of: opened.kind, text, wanting: .file) }
        return LinuxFile(descriptor, path: text)
    }

    public func makeFolder(_ location: FileLocation, withParents: Bool) throws(FileError) -> Bool {
        if location.path.isEmpty { return false }
        let (folder, name) = try location.split()
        let text = roots.text(of: location)
        let parent: Descriptor
        do {
            parent = try self.folder(folder)
        } catch .notFound where withParents {
            _ = try makeFolder(folder, withParents: true)
            parent = try self.folder(folder)
        }
        guard name.withCString({ mkdirat(parent.number, $0, 0o777) }) != 0 else { return true }
        let failure = errno
        guard failure == EEXIST, try status(of: location, followingLink: true).kind == .folder else {
            throw FileError(errno: failure, path: text)
        }
        return false
    }

    public func move(_ source: FileLocation, to target: FileLocation, replacing: Bool) throws(FileError) {
        let (sourceFolder, sourceName) = try source.split()
        let (targetFolder, targetName) = try target.split()
        let from = try folder(sourceFolder)
        let into = try folder(targetFolder)
        let result = sourceName.withCString { source in
            targetName.withCString { tandem_rename(from.number, source, into.number, $0, replacing ? 1 : 0) }
        }
        switch -result {
        case 0: return
        case EXDEV: throw .otherDisk(roots.text(of: target))
        case ENOENT: throw .notFound(roots.text(of: source))
        case let failure: throw FileError(errno: failure, path: roots.text(of: target))
        }
    }

    public func trash(_ location: FileLocation) throws(FileError) {
        let (folder, name) = try location.split()
        let parent = try self.folder(folder)
        let path = roots.path(of: location)
        _ = try parent.status(of: name, named: FileNameText.text(path))
        try LinuxTrash(trashFolder).take(name, in: parent, path: path)
    }

    public func remove(_ location: FileLocation, recursively: Bool) throws(FileError) {
        let (folder, name) = try location.split()
        try LinuxRemoval(path: roots.text(of: location)).remove(
            name,
            in: try self.folder(folder),
            recursively: recursively
        )
    }

    public func makePart(_ name: [UInt8], in folder: FileLocation, size: Int64) throws(FileError) -> any PartialFile {
        try FileLocation.check(name)
        let parent = try self.folder(folder)
        let text = roots.text(of: folder.appending(name))
        let descriptor = try parent.open(name, Int(TANDEM_OPEN_CREATE), named: text)
        let part = LinuxPartialFile(descriptor, folder: parent, name: name, path: text)
        let result = tandem_allocate(descriptor.number, size, Self.reserve)
        guard result >= 0 else {
            try part.discard()
            throw FileError(errno: -result, path: text, size: size)
        }
        return part
    }

    public func openPart(_ name: [UInt8], in folder: FileLocation) throws(FileError) -> any PartialFile {
        try FileLocation.check(name)
        let parent = try self.folder(folder)
        let text = roots.text(of: folder.appending(name))
        let descriptor = try parent.open(name, Int(TANDEM_OPEN_WRITE), withoutLinks: true, named: text)
        let status = try descriptor.checkedStatus(named: text)
        guard status.kind == .file else { throw .notOrdinary(text, status.kind) }
        return LinuxPartialFile(descriptor, folder: parent, name: name, path: text)
    }

    private func root(of location: FileLocation) throws(FileError) -> Descriptor {
        guard descriptors.indices.contains(location.root) else { throw .outside(FileNameText.text(location.path)) }
        return descriptors[location.root]
    }

    private func look(at location: FileLocation, followingLink: Bool) throws(FileError) -> Descriptor {
        let how = Int(followingLink ? TANDEM_OPEN_LOOK : TANDEM_OPEN_LOOK_AT_LINK)
        return try root(of: location).open(location.path, how, named: roots.text(of: location))
    }

    /// A folder to change names in. What the kernel makes up is not for changing.
    private func folder(_ location: FileLocation) throws(FileError) -> Descriptor {
        let descriptor = try look(at: location, followingLink: true)
        let text = roots.text(of: location)
        let status = try descriptor.checkedStatus(named: text)
        guard status.kind == .folder else { throw Self.refusal(of: status.kind, text, wanting: .folder) }
        return descriptor
    }

    static func refusal(of kind: FileKind, _ path: String, wanting wanted: FileKind) -> FileError {
        switch kind {
        case .folder: .isAFolder(path)
        case .file where wanted == .folder: .notAFolder(path)
        default: .notOrdinary(path, kind)
        }
    }
}
