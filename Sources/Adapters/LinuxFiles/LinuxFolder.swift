import CLinux
import FilesHost
import Glibc
import Transfers

struct LinuxFolder: OpenFolder {
    private static let bufferSize = 128 << 10

    private let descriptor: Descriptor
    private let path: [UInt8]
    private let root: Descriptor
    private let location: FileLocation
    private let access: LinuxFileAccess

    /// - Parameter root: The shared folder, from which links in this one are followed.
    init(
        _ descriptor: Descriptor,
        path: [UInt8],
        root: Descriptor,
        within location: FileLocation,
        of access: LinuxFileAccess
    ) {
        self.descriptor = descriptor
        self.path = path
        self.root = root
        self.location = location
        self.access = access
    }

    func names(limit: Int) throws(FileError) -> [FolderName] {
        let text = FileNameText.text(path)
        return try access.rules.visible(
            try Self.names(in: descriptor, limit: limit, named: text),
            in: descriptor,
            named: text
        )
    }

    /// All names of an open folder.
    static func names(in descriptor: Descriptor, limit: Int, named text: String) throws(FileError) -> [FolderName] {
        guard lseek(descriptor.number, 0, SEEK_SET) == 0 else { throw FileError(errno: errno, path: text) }
        var names: [FolderName] = []
        var failure: FileError?
        withUnsafeTemporaryAllocation(byteCount: Self.bufferSize, alignment: 8) { buffer in
            while failure == nil {
                let count = tandem_read_folder(descriptor.number, buffer.baseAddress, buffer.count)
                guard count > 0 else {
                    if count < 0 { failure = FileError(errno: Int32(-count), path: text) }
                    return
                }
                Self.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: &names)
                if names.count > limit { failure = .tooManyEntries(text, limit: limit) }
            }
        }
        if let failure { throw failure }
        return names
    }

    /// Reads the kernel's records: inode (8 bytes), offset (8), length of the record (2), type (1), name, zero.
    private static func append(_ records: UnsafeRawBufferPointer, to names: inout [FolderName]) {
        var position = 0
        while position + 19 < records.count {
            let length = Int(records.loadUnaligned(fromByteOffset: position + 16, as: UInt16.self))
            guard length > 19, position + length <= records.count else { return }
            let type = records[position + 18]
            let field = records[(position + 19)..<(position + length)]
            let end = field.firstIndex(of: 0) ?? field.endIndex
            let bytes = Array(records[field.startIndex..<end])
            // The type is the upper part of a mode.
            if bytes != [0x2E], bytes != [0x2E, 0x2E] {
                names.append(FolderName(bytes: bytes, kind: FileKind(mode: UInt32(type) << 12)))
            }
            position += length
        }
    }

    func status(of name: [UInt8]) throws(FileError) -> FileStatus? {
        do {
            try access.rules.check(name, in: descriptor, for: .read, named: FileNameText.text(path))
            return try descriptor.status(of: name, named: FileNameText.text(path))
        } catch .notFound {
            return nil
        } catch .outside {
            return nil  // for a phone it is not there
        }
    }

    func target(of name: [UInt8]) -> FileStatus? {
        // A link's way may go up again, which only the shared folder itself may bound. Nil says it: nothing to be had there.
        try? access.status(of: location.appending(name), followingLink: true)
    }

    func openFolder(_ name: [UInt8]) throws(FileError) -> any OpenFolder {
        try FileNameText.check(name)
        let path = path + [UInt8(ascii: "/")] + name
        let text = FileNameText.text(path)
        let child = try descriptor.open(name, Int(TANDEM_OPEN_FOLDER), withoutLinks: true, named: text)
        try child.check(is: .folder, named: text)
        try access.rules.check(child, below: root, for: .read, named: text)
        return LinuxFolder(child, path: path, root: root, within: location.appending(name), of: access)
    }
}
