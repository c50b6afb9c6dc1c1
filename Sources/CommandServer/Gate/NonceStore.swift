package import Foundation

/// Remembers which nonces a device has used.
package protocol NonceStore: Sendable {
    /// False when `did` used `nonce` before and its lifetime is not over. What was answered true survives a restart.
    func use(_ nonce: String, by did: String, now: Date) async throws -> Bool
}

/// Source: `docs/protocol.md`, "Who may do what".
enum NonceLifetime {
    /// Twice the clocks' allowed distance: a request that is still fresh is still remembered.
    static let milliseconds: Int64 = 600_000
}
