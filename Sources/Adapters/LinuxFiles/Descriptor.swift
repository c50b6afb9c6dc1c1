import CLinux
import Glibc
import Transfers

/// An open file of the system, closed with its last user.
final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    /// - Parameter path: For the error, as the person knows it.
    func open(_ path: [UInt8], _ how: Int, withoutLinks: Bool = false, named text: String) throws(FileError)
        -> Descriptor
    {
        let name = path.isEmpty ? [UInt8(ascii: ".")] : path
        let result = name.withCString { tandem_open_beneath(number, $0, Int32(how), withoutLinks ? 1 : 0) }
        guard result >= 0 else { throw FileError(errno: -result, path: text) }
        return Descriptor(result)
    }

    func status(of name: [UInt8] = [], named text: String) throws(FileError) -> FileStatus {
        var found = tandem_file_status()
        let result = name.withCString { tandem_file_status(number, $0, &found) }
        guard result >= 0 else { throw FileError(errno: -result, path: text) }
        guard let status = FileStatus(found) else { throw .unsupported("A file of this kind") }
        return status
    }

    /// The status of the open file; what the kernel makes up is said to be that.
    func checkedStatus(named text: String) throws(FileError) -> FileStatus {
        var status = try status(named: text)
        switch tandem_is_kernel_file(number) {
        case 0: return status
        case 1:
            status.kind = .kernel
            return status
        case let failure: throw FileError(errno: -failure, path: text)
        }
    }

    /// - Throws: ``FileError`` for an open file of another kind.
    func check(is wanted: FileKind, named text: String) throws(FileError) {
        let kind = try checkedStatus(named: text).kind
        guard kind != wanted else { return }
        switch kind {
        case .folder: throw .isAFolder(text)
        case .file where wanted == .folder: throw .notAFolder(text)
        default: throw .notOrdinary(text, kind)
        }
    }
}

extension [UInt8] {
    /// Paths were checked to hold no zero byte where they came in.
    func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (self + [0]).withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                guard let start = characters.baseAddress else { return "".withCString(body) }
                return body(start)
            }
        }
    }
}

extension FileTime {
    init(_ found: tandem_file_time) { self.init(seconds: found.seconds, nanoseconds: Int64(found.nanoseconds)) }
}

extension FileStatus {
    init?(_ found: tandem_file_status) {
        guard let kind = FileKind(mode: found.mode) else { return nil }
        self.init(
            kind: kind,
            size: Int64(clamping: found.size),
            modified: FileTime(found.modified),
            accessed: FileTime(found.accessed),
            created: found.has_created == 0 ? nil : FileTime(found.created),
            permissions: found.mode & 0o7777,
            inode: found.inode,
            device: found.device
        )
    }
}
