import CLinux
import Glibc
import Transfers

struct LinuxPartialFile: PartialFile, SystemFile {
    private let file: LinuxFile
    private let folder: Descriptor
    private let name: [UInt8]
    private let rules: ShareGuard
    /// Of this computer's person.
    private let mask: UInt32

    init(_ descriptor: Descriptor, folder: Descriptor, name: [UInt8], path: String, rules: ShareGuard, mask: UInt32) {
        file = LinuxFile(descriptor: descriptor, path: path)
        self.folder = folder
        self.name = name
        self.rules = rules
        self.mask = mask
    }

    var number: Int32 { file.number }
    var path: String { file.path }
    var side: FileSide { file.side }

    func status() throws(FileError) -> FileStatus { try file.status() }

    func isInPlace() throws(FileError) -> Bool {
        let own = try file.descriptor.identity(named: file.path)
        return try folder.identity(of: name, named: file.path) == own
    }

    func finish(
        as target: [UInt8],
        replacing: Bool,
        permissions: UInt32?,
        modifiedMilliseconds: Int64?
    ) throws(FileError) {
        try FileNameText.check(target)
        try rules.check(target, in: folder, for: .write, moves: true, named: FileNameText.text(target))
        // Who sends no permissions does not mean to change those of the file that is replaced: a private one stays private.
        let kept = replacing && permissions == nil ? permissionsOfFile(named: target) : nil
        try finish(
            permissions: kept ?? permissions,
            mask: kept == nil ? mask : 0,
            modifiedMilliseconds: modifiedMilliseconds
        )
        let result = name.withCString { part in
            target.withCString { tandem_rename(folder.number, part, folder.number, $0, replacing ? 1 : 0) }
        }
        guard result == 0 else { throw FileError(errno: -result, path: FileNameText.text(target)) }
        try folder.open([], Int(TANDEM_OPEN_FOLDER), named: file.path).synchronize(named: file.path)
    }

    /// Nil where no file has the name.
    private func permissionsOfFile(named target: [UInt8]) -> UInt32? {
        guard let status = try? folder.status(of: target, named: FileNameText.text(target)), status.kind == .file else {
            return nil
        }
        return status.permissions
    }

    func discard() throws(FileError) {
        guard name.withCString({ unlinkat(folder.number, $0, 0) }) == 0 || errno == ENOENT else {
            throw FileError(errno: errno, path: file.path)
        }
    }
}

extension Descriptor {
    /// A folder's names are on disk when this returns.
    func synchronize(named text: String) throws(FileError) {
        guard fsync(number) == 0 || errno == EINVAL else { throw FileError(errno: errno, path: text) }
    }
}
