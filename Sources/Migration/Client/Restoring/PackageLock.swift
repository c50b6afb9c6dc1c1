import Foundation
import Kernel
import MigrationContainer

/// What opens a package of this machine.
enum PackageLock: Sendable {
    /// Its header, opened by the password.
    case header(ContainerHeader)
    /// A package of version 1, which has no header, and the 32 bytes of its key.
    case legacy(key: [UInt8])

    /// The key of a package of version 1, as a person has it: 64 hexadecimal digits. Its documentation names no way from a password to the key.
    ///
    /// - Returns: Nil for any other text, and for a file that begins like a newer package, whose password may look like that.
    init?(legacyKey text: String, of header: [UInt8]) {
        guard !header.starts(with: "MYSTMIG\0".utf8), text.utf8.count == 64,
            let key = Hexadecimal.decode(text.lowercased())
        else { return nil }
        self = .legacy(key: Array(key))
    }
}
