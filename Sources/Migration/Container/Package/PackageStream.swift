import Crypto
import Kernel

/// A package from its first byte to its last: each segment is made and sealed once. For a file, and for a transfer that was not interrupted.
/// The calls block and are made on one thread at a time.
public final class PackageStream {
    private let package: MigrationPackage
    private let isDigested: Bool
    private var index: UInt64 = 0
    private var isBegun = false
    private var archive = SHA256()
    private var whole = SHA256()
    private var isAtEnd = false
    /// Known once ``next()`` has answered nil; nil also then where they are not wanted.
    public private(set) var digests: PackageDigests?

    init(_ package: MigrationPackage, isDigested: Bool) {
        self.package = package
        self.isDigested = isDigested
    }

    /// The next bytes, at most a segment; nil at the end.
    ///
    /// - Throws: As ``MigrationPackage/bytes(in:)``.
    public func next() throws -> [UInt8]? {
        guard isBegun else {
            isBegun = true
            if isDigested { whole.update(data: package.header.bytes) }
            return package.header.bytes
        }
        guard !isAtEnd else { return nil }
        guard let sealed = try package.segment(index, taking: { if isDigested { archive.update(data: $0) } }) else {
            isAtEnd = true
            if isDigested {
                digests = PackageDigests(
                    zipSHA256: Hexadecimal.encode(archive.finalize()),
                    encSHA256: Hexadecimal.encode(whole.finalize())
                )
            }
            return nil
        }
        index += 1
        if isDigested { whole.update(data: sealed) }
        return sealed
    }
}
