import Crypto
import Foundation

/// The keys of a journal's media, which follow from its master key. They are never logged and have no description.
package struct MediaKeys: Sendable {
    private let master: SymmetricKey

    /// - Parameter master: The master key's bytes, 16 to 1024: 32 of this program's, others of journals that came from elsewhere.
    /// - Throws: ``JournalError/noMasterKey``.
    package init(master: [UInt8]) throws(JournalError) {
        guard (16...1024).contains(master.count) else { throw .noMasterKey }
        self.master = SymmetricKey(data: master)
    }

    /// The key of a medium and of its thumbnail.
    func key(_ keyId: String) -> SymmetricKey {
        let info = Array("mystory/media/1/".utf8) + Array(keyId.utf8)
        return SymmetricKey(data: HKDF<SHA256>.expand(pseudoRandomKey: master, info: info, outputByteCount: 32))
    }

    /// For the package of a migration.
    package var masterBytes: [UInt8] { master.withUnsafeBytes { Array($0) } }
}
