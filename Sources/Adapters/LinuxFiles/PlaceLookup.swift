import CLinux
import Glibc
import Transfers

/// Opens places of the person's own for looking only, through links, as the person's programs do.
package struct PlaceLookup: Sendable {
    /// A new descriptor, or a negative errno.
    private let open: @Sendable (_ folder: Int32, _ path: [UInt8]) -> Int32

    package init(
        open: @escaping @Sendable (_ folder: Int32, _ path: [UInt8]) -> Int32 = { folder, path in
            path.withCString { tandem_look(folder, $0, 0) }
        }
    ) {
        self.open = open
    }

    /// - Returns: Nil when the path leads to nothing that this program could reach.
    /// - Throws: ``FileError`` when that is not known: the program has no descriptors left, or the disk does not answer.
    func descriptor(_ path: [UInt8], from folder: Descriptor? = nil) throws(FileError) -> Descriptor? {
        let result = open(folder?.number ?? AT_FDCWD, path)
        if result >= 0 { return Descriptor(result) }
        switch -result {
        case ENOENT, ENOTDIR, ELOOP, EACCES, EPERM, ENAMETOOLONG: return nil
        case let number: throw FileError(errno: number, path: FileNameText.text(path))
        }
    }

    func descriptor(_ path: String) throws(FileError) -> Descriptor? { try descriptor(Array(path.utf8)) }

    func identity(_ path: String) throws(FileError) -> InodeIdentity? {
        try descriptor(path)?.identity(named: path)
    }
}
