import Kernel

/// The files that a package says it holds, and which of them came. A file takes about a hundred bytes, however long its name is.
struct FileListCheck {
    /// A SHA-256 as four numbers, which take no memory of their own.
    private struct Expected {
        let size: UInt64
        let digest: (UInt64, UInt64, UInt64, UInt64)
    }

    /// By a keyed hash of the path.
    private var expected: [Int: Expected] = [:]
    /// Whether there is a list at all.
    private(set) var isListed = false

    /// Says that there is a list, which may be empty.
    mutating func begin() { isListed = true }

    /// Files that are listed and did not come.
    var missingCount: Int { expected.count }

    /// - Throws: ``ContainerError/malformedManifest`` for a checksum of another length, a path elsewhere or one that is listed twice.
    mutating func add(_ file: ManifestFile) throws(ContainerError) {
        guard let digest = Hexadecimal.decode(file.sha256), let numbers = Self.numbers(digest),
            file.path.hasPrefix("media/"),
            expected.updateValue(Expected(size: file.size, digest: numbers), forKey: file.path.hashValue) == nil
        else { throw .malformedManifest }
        isListed = true
    }

    /// Takes a file off the list.
    ///
    /// - Throws: ``ContainerError/unexpectedEntry(_:)`` for one that is not listed, ``ContainerError/damagedFile(_:)``.
    mutating func take(_ path: String, size: UInt64, sha256: some Sequence<UInt8>) throws(ContainerError) {
        guard isListed else { return }
        guard let file = expected.removeValue(forKey: path.hashValue) else { throw .unexpectedEntry(path) }
        guard file.size == size, let digest = Self.numbers(Array(sha256)), file.digest == digest else {
            throw .damagedFile(path)
        }
    }

    private static func numbers(_ digest: [UInt8]) -> (UInt64, UInt64, UInt64, UInt64)? {
        guard digest.count == 32 else { return nil }
        let numbers = (0..<4).map { part in
            digest[part * 8..<part * 8 + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        return (numbers[0], numbers[1], numbers[2], numbers[3])
    }
}
