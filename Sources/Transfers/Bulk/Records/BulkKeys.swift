import Crypto
import Kernel

/// The secrets of one bulk connection, equal at both ends. Source: `docs/protocol.md` 2.12.1.
package struct BulkKeys: Sendable {
    private let pseudoRandomKey: [UInt8]

    /// - Parameters:
    ///   - secret: 32 bytes, the session's `NoiseKeys.bulkSecret`.
    ///   - ticket: The ticket of this connection.
    package init(secret: [UInt8], ticket: BulkTicket) {
        let key = HKDF<SHA256>.extract(
            inputKeyMaterial: SymmetricKey(data: secret),
            salt: ticket.salt + ticket.id
        )
        pseudoRandomKey = key.withUnsafeBytes(Array.init)
    }

    /// The 32 bytes by which one end shows in its greeting that it knows the session's secret.
    package func token(of role: BulkRole) -> [UInt8] {
        expand("token \(role.rawValue)").withUnsafeBytes(Array.init)
    }

    /// The keys of what one end sends.
    package func direction(from role: BulkRole) -> BulkDirectionKeys {
        BulkDirectionKeys(
            headKey: expand("heads \(role.rawValue)"),
            bodySecret: expand("bodies \(role.rawValue)")
        )
    }

    private func expand(_ label: String) -> SymmetricKey {
        HKDF<SHA256>.expand(
            pseudoRandomKey: SymmetricKey(data: pseudoRandomKey),
            info: Array("tandem-bulk-v1 \(label)".utf8),
            outputByteCount: 32
        )
    }
}

// Printing or dumping this value shows no keys.
extension BulkKeys: CustomStringConvertible, CustomReflectable {
    package var description: String { "keys of a bulk connection" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
