import CLinux
import Glibc
import Transfers

/// A shared folder that many small files come into: it was checked when it was opened, its names are looked at together.
struct LinuxArrivalFolder: ArrivalFolder {
    private let folder: Descriptor
    private let path: [UInt8]
    private let rules: ShareGuard
    private let mask: UInt32

    /// - Parameters:
    ///   - folder: Open for reading, and checked.
    ///   - path: For sentences.
    ///   - mask: Of this computer's person.
    init(_ folder: Descriptor, path: [UInt8], rules: ShareGuard, mask: UInt32) {
        self.folder = folder
        self.path = path
        self.rules = rules
        self.mask = mask
    }

    func text(of name: [UInt8]) -> String {
        let separator: [UInt8] = path.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
        return FileNameText.text(path + separator + name)
    }

    func status(of name: [UInt8]) throws(FileError) -> FileStatus? {
        do {
            return try folder.status(of: name, named: text(of: name))
        } catch .notFound {
            return nil
        }
    }

    func refusals(of names: [[UInt8]]) throws(FileError) -> [FileError?] {
        let look = try rules.look(at: folder, for: .write, named: FileNameText.text(path))
        return names.map { name -> FileError? in
            do throws(FileError) {
                try rules.check(name, in: folder, by: look, moves: true, named: text(of: name))
                return nil
            } catch {
                return error
            }
        }
    }

    func write(_ file: WholeFile, as part: [UInt8]) throws(FileError) {
        let text = text(of: file.name)
        let size = Int64(file.content.count)
        let room = tandem_check_room(folder.number, size, LinuxFileAccess.reserve)
        guard room == 0 else { throw FileError(errno: -room, path: text, size: size) }
        let made = LinuxFile(descriptor: try folder.open(part, Int(TANDEM_OPEN_CREATE), named: text), path: text)
        try made.write(file.content[...], at: 0)
        try made.setAttributes(
            permissions: file.permissions,
            mask: mask,
            modifiedMilliseconds: file.modifiedMilliseconds
        )
    }

    func synchronizeFiles() throws(FileError) {
        let result = tandem_synchronize_disk(folder.number)
        guard result == 0 else { throw FileError(errno: -result, path: FileNameText.text(path)) }
    }

    func name(_ part: [UInt8], as name: [UInt8], replacing: Bool) throws(FileError) {
        let result = part.withCString { part in
            name.withCString { tandem_rename(folder.number, part, folder.number, $0, replacing ? 1 : 0) }
        }
        guard result == 0 else { throw FileError(errno: -result, path: text(of: name)) }
    }

    func synchronizeNames() throws(FileError) { try folder.synchronize(named: FileNameText.text(path)) }

    func remove(_ part: [UInt8]) throws(FileError) {
        guard part.withCString({ unlinkat(folder.number, $0, 0) }) == 0 || errno == ENOENT else {
            throw FileError(errno: errno, path: text(of: PartName.shown(part)))
        }
    }
}
