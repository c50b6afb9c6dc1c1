import CLinux
package import FilesHost
import Foundation
import Glibc
package import Transfers

/// Files through `openat2`: every path is resolved by the kernel below the open shared folder, so no link, `..` or race leads out. What
/// a share leaves out is looked at where folders are opened, by what was opened: see ``ShareGuard``.
package struct LinuxFileAccess: FileAccess {
    /// Bytes that stay free on a disk, so that the computer goes on working.
    static let reserve: Int64 = 64 << 20
    /// Links that follow each other at the end of a path; the kernel takes as many.
    private static let linkLimit = 40

    package let roots: FileRoots
    let rules: ShareGuard
    private let descriptors: [Descriptor]
    private let trashFolder: LinuxTrash
    private let mask: UInt32

    /// - Parameters:
    ///   - folders: The shared folders, as absolute paths; empty: the home folder.
    ///   - home: The person's home folder.
    ///   - trash: Where what is deleted goes. By default `$XDG_DATA_HOME/Trash`.
    ///   - sharesHidden: Whether a home's entries that begin with a dot are shared with it. Secrets and start files never are.
    ///   - stateFolders: Tandem's own folders, which are never shared. Those elsewhere are known by what is in them.
    ///   - programFolders: Folders that programs are found in by name: phones only read what is in them.
    ///   - mask: The person's umask, which is taken from the permissions of what arrives.
    ///   - lookup: Opens the places that are never shared.
    /// - Throws: ``FileError`` naming the folder that cannot be shared.
    package init(
        folders: [String] = [],
        home: String,
        trash: String,
        sharesHidden: Bool = false,
        stateFolders: [String] = [],
        programFolders: [String] = [],
        mask: UInt32 = ArrivingMode.usualMask,
        lookup: PlaceLookup = PlaceLookup()
    ) throws(FileError) {
        self.mask = mask
        rules = ShareGuard(
            stateFolders: stateFolders,
            homes: [home],
            sharesHidden: sharesHidden,
            programFolders: programFolders.filter { $0.hasPrefix("/") },
            lookup: lookup
        )
        var paths: [[UInt8]] = []
        var descriptors: [Descriptor] = []
        for folder in folders.isEmpty ? [home] : folders {
            let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard number >= 0 else { throw FileError(errno: errno, path: folder) }
            let descriptor = Descriptor(number)
            guard try rules.mayShare(descriptor) else { throw .stateFolder(folder) }
            descriptors.append(descriptor)
            paths.append(Self.realPath(folder))
        }
        self.descriptors = descriptors
        roots = try FileRoots(folders: paths, home: Self.realPath(home))
        trashFolder = LinuxTrash(Self.realPath(ofPart: trash))
    }

    /// `$XDG_DATA_HOME/Trash`, or `~/.local/share/Trash`. Source: the freedesktop.org trash specification.
    package static func defaultTrash(home: String, environment: [String: String]) -> String {
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/Trash" }
        return home + "/.local/share/Trash"
    }

    private static func realPath(_ path: String) -> [UInt8] {
        guard let real = realpath(path, nil) else { return Array(path.utf8) }
        defer { free(real) }
        return Array(UnsafeBufferPointer(start: real, count: strlen(real))).map { UInt8(bitPattern: $0) }
    }

    /// The path without the links that there are now, also where the end of the path is not there yet.
    private static func realPath(ofPart path: String) -> [UInt8] {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex, access(path, F_OK) != 0 else {
            return realPath(path)
        }
        return realPath(ofPart: String(path[..<slash])) + Array(path[slash...].utf8)
    }

    package func status(of location: FileLocation, followingLink: Bool) throws(FileError) -> FileStatus {
        let text = roots.text(of: location)
        let place = try place(of: location, followingLink: followingLink, for: .read)
        return try place.open(Int(followingLink ? TANDEM_OPEN_LOOK : TANDEM_OPEN_LOOK_AT_LINK), named: text)
            .checkedStatus(named: text)
    }

    package func openFolder(_ location: FileLocation) throws(FileError) -> any OpenFolder {
        let text = roots.text(of: location)
        let place = try place(of: location, followingLink: true, for: .read)
        let descriptor = try place.open(.folder, Int(TANDEM_OPEN_FOLDER), named: text)
        let root = try root(of: location)
        try rules.check(descriptor, below: root, for: .read, named: text)
        return LinuxFolder(descriptor, path: roots.path(of: location), root: root, within: location, of: self)
    }

    package func openFile(_ location: FileLocation) throws(FileError) -> any ReadableFile {
        let text = roots.text(of: location)
        let place = try place(of: location, followingLink: true, for: .read)
        return LinuxFile(descriptor: try place.open(.file, Int(TANDEM_OPEN_READ), named: text), path: text)
    }

    package func makeFolder(_ location: FileLocation, withParents: Bool, permissions: UInt32?) throws(FileError)
        -> Bool
    {
        if location.path.isEmpty { return false }
        let (folder, name) = try location.split()
        let text = roots.text(of: location)
        let parent: Descriptor
        do {
            parent = try self.folder(folder)
        } catch .notFound where withParents {
            _ = try makeFolder(folder, withParents: true, permissions: nil)
            parent = try self.folder(folder)
        }
        try rules.check(name, in: parent, for: .write, named: text)
        if name.withCString({ mkdirat(parent.number, $0, 0o700) }) == 0 {
            // This process's own mask is stricter than its person's.
            let made = try parent.open(name, Int(TANDEM_OPEN_FOLDER), withoutLinks: true, named: text)
            guard fchmod(made.number, ArrivingMode.folder(permissions, mask: mask)) == 0 else {
                throw FileError(errno: errno, path: text)
            }
            return true
        }
        let failure = errno
        guard failure == EEXIST, try status(of: location, followingLink: true).kind == .folder else {
            throw FileError(errno: failure, path: text)
        }
        return false
    }

    package func move(_ source: FileLocation, to target: FileLocation, replacing: Bool) throws(FileError) {
        let (sourceFolder, sourceName) = try source.split()
        let (targetFolder, targetName) = try target.split()
        let from = try folder(sourceFolder)
        let into = try folder(targetFolder)
        try rules.check(sourceName, in: from, for: .write, moves: true, named: roots.text(of: source))
        try rules.check(targetName, in: into, for: .write, moves: true, named: roots.text(of: target))
        let result = sourceName.withCString { source in
            targetName.withCString { tandem_rename(from.number, source, into.number, $0, replacing ? 1 : 0) }
        }
        switch -result {
        case 0: return
        case EXDEV: throw .otherDisk(roots.text(of: target))
        case ENOENT: throw .notFound(roots.text(of: source))
        case EINVAL: throw .intoItself(roots.text(of: target))
        case let failure: throw FileError(errno: failure, path: roots.text(of: target))
        }
    }

    package func trash(_ location: FileLocation) throws(FileError) {
        let (folder, name) = try location.split()
        let parent = try self.folder(folder)
        let path = roots.path(of: location)
        let text = FileNameText.text(path)
        try rules.check(name, in: parent, for: .write, moves: true, named: text)
        _ = try parent.status(of: name, named: text)
        try trashFolder.take(name, in: parent, path: path)
    }

    package func remove(_ location: FileLocation, recursively: Bool) throws(FileError) {
        let (folder, name) = try location.split()
        try LinuxRemoval(path: roots.text(of: location), rules: rules).remove(
            name,
            in: try self.folder(folder),
            recursively: recursively
        )
    }

    package func checkTarget(_ location: FileLocation) throws(FileError) {
        let (folder, name) = try location.split()
        let text = roots.text(of: location)
        try rules.check(name, in: try self.folder(folder), for: .write, moves: true, named: text)
    }

    package func makePart(_ name: [UInt8], in folder: FileLocation, size: Int64, holes: ByteRanges) throws(FileError)
        -> any PartialFile
    {
        try FileNameText.check(name)
        let parent = try self.folder(folder)
        let text = roots.text(of: folder.appending(PartName.shown(name)))
        let descriptor = try parent.open(name, Int(TANDEM_OPEN_CREATE), named: text)
        let part = LinuxPartialFile(descriptor, folder: parent, name: name, path: text, rules: rules, mask: mask)
        do {
            try Self.allocate(size, holes: holes, to: descriptor, named: text)
        } catch {
            try part.discard()
            throw error
        }
        return part
    }

    /// Reserves room for all of a file but its holes.
    private static func allocate(_ size: Int64, holes: ByteRanges, to file: Descriptor, named text: String)
        throws(FileError)
    {
        let stored = size - holes.count
        var result = tandem_check_room(file.number, stored, reserve)
        for range in holes.missing(in: 0..<size) where result == 0 {
            result = tandem_allocate(file.number, range.lowerBound, Int64(range.count))
        }
        if result == 0, ftruncate(file.number, off_t(size)) != 0 { result = -errno }
        guard result == 0 else { throw FileError(errno: -result, path: text, size: stored) }
    }

    package func openPart(_ name: [UInt8], in folder: FileLocation) throws(FileError) -> any PartialFile {
        try FileNameText.check(name)
        let parent = try self.folder(folder)
        let text = roots.text(of: folder.appending(PartName.shown(name)))
        let descriptor = try parent.open(name, Int(TANDEM_OPEN_WRITE), withoutLinks: true, named: text)
        let status = try descriptor.checkedStatus(named: text)
        guard status.kind == .file else { throw .notOrdinary(text, status.kind) }
        return LinuxPartialFile(descriptor, folder: parent, name: name, path: text, rules: rules, mask: mask)
    }

    package func openArrivals(_ folder: FileLocation) throws(FileError) -> any ArrivalFolder {
        let text = roots.text(of: folder)
        let open = try self.folder(folder).open([], Int(TANDEM_OPEN_FOLDER), named: text)
        return LinuxArrivalFolder(open, path: roots.path(of: folder), rules: rules, mask: mask)
    }

    private func root(of location: FileLocation) throws(FileError) -> Descriptor {
        guard descriptors.indices.contains(location.root) else { throw .outside(FileNameText.text(location.path)) }
        return descriptors[location.root]
    }

    /// A name in an open folder that was checked. Without a name: the folder itself.
    private struct Place {
        let folder: Descriptor
        let name: [UInt8]

        func open(_ how: Int, named text: String) throws(FileError) -> Descriptor {
            try folder.open(name, how, withoutLinks: true, named: text)
        }

        /// Looked at first, since opening alone already does something to a tape or a FIFO; and again once open, since the
        /// name may have become another file's meanwhile. Non-blocking, so that even then nothing hangs.
        func open(_ kind: FileKind, _ how: Int, named text: String) throws(FileError) -> Descriptor {
            try open(Int(TANDEM_OPEN_LOOK), named: text).check(is: kind, named: text)
            let descriptor = try open(how, named: text)
            try descriptor.check(is: kind, named: text)
            return descriptor
        }
    }

    /// Follows the links of a path, also those at its end, and checks where it leads: the folder that what is there lies in.
    private func place(of location: FileLocation, followingLink: Bool, for use: ShareGuard.Use) throws(FileError)
        -> Place
    {
        let root = try root(of: location)
        let text = roots.text(of: location)
        var path = location.path
        for _ in 0..<Self.linkLimit {
            let parts = path.split(separator: UInt8(ascii: "/"))
            guard let last = parts.last, !last.elementsEqual([0x2E]), !last.elementsEqual([0x2E, 0x2E]) else {
                // Names no entry: the folder that the system says it is.
                let folder = try root.open(path, Int(TANDEM_OPEN_LOOK), named: text)
                try rules.check(folder, below: root, for: use, named: text)
                return Place(folder: folder, name: [])
            }
            let above = Array(parts.dropLast().joined(separator: [UInt8(ascii: "/")]))
            let folder = try root.open(above, Int(TANDEM_OPEN_LOOK), named: text)
            guard try folder.status(named: text).kind == .folder else { throw .notAFolder(text) }
            try rules.check(folder, below: root, for: use, named: text)
            try rules.check(Array(last), in: folder, for: use, named: text)
            guard followingLink, let target = folder.link(Array(last)) else {
                return Place(folder: folder, name: Array(last))
            }
            // The kernel refuses it, too: an absolute link leads out of any folder.
            guard target.first != UInt8(ascii: "/") else { throw .outside(text) }
            path = above + [UInt8(ascii: "/")] + target
            guard path.count <= FileRoots.pathLimit else { throw .badName(text) }
        }
        throw .linkLoop(text)
    }

    /// A folder to change names in. What the kernel makes up is not for changing.
    private func folder(_ location: FileLocation) throws(FileError) -> Descriptor {
        let text = roots.text(of: location)
        let place = try place(of: location, followingLink: true, for: .write)
        let descriptor = try place.open(Int(TANDEM_OPEN_LOOK), named: text)
        try descriptor.check(is: .folder, named: text)
        try rules.check(descriptor, below: try root(of: location), for: .write, named: text)
        return descriptor
    }
}
