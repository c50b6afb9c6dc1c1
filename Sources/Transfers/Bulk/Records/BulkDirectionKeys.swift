import Crypto

/// The keys of one direction of a bulk connection: one for the heads of its records, one for each body.
package struct BulkDirectionKeys: Sendable {
    let headKey: SymmetricKey
    private let bodySecret: SymmetricKey

    init(headKey: SymmetricKey, bodySecret: SymmetricKey) {
        self.headKey = headKey
        self.bodySecret = bodySecret
    }

    /// The key of one body, which no other body and no other connection has.
    func bodyKey(_ body: TransferID) -> SymmetricKey {
        HKDF<SHA256>.expand(pseudoRandomKey: bodySecret, info: Array("body".utf8) + body.bytes, outputByteCount: 32)
    }
}
