package import Foundation
import Kernel
import Synchronization

/// Nonces of this process: for a desktop without a database. Full, it refuses, so that no flood makes it forget.
package final class MemoryNonceStore: NonceStore {
    private struct Use: Hashable {
        let did: String
        let nonce: String
    }

    private static let limit = 10_000
    private let expiry = Mutex<[Use: Int64]>([:])

    package init() {}

    package func use(_ nonce: String, by did: String, now: Date) async throws -> Bool {
        let time = now.millisecondsSince1970
        return expiry.withLock { expiry in
            if expiry.count >= Self.limit { expiry = expiry.filter { $0.value > time } }
            let use = Use(did: did, nonce: nonce)
            guard expiry.count < Self.limit, expiry[use].map({ $0 <= time }) ?? true else { return false }
            expiry[use] = time + NonceLifetime.milliseconds
            return true
        }
    }
}
