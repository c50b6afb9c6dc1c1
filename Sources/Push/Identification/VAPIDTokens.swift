import Foundation
import Kernel
import Synchronization

/// The tokens that are in use, one for each push service: a signature for every message would only cost time.
final class VAPIDTokens: Sendable {
    /// How long a token is good: half of what RFC 8292 section 2 allows, so that a clock that is some hours wrong does no harm.
    static let lifetime: TimeInterval = 12 * 3600
    /// How many push services are remembered.
    static let capacity = 64

    private struct Entry {
        let header: String
        let made: Date
    }

    private let key: VAPIDKey
    private let contact: VAPIDContact?
    private let time: any TimeSource
    private let entries = Mutex<[PushOrigin: Entry]>([:])

    init(key: VAPIDKey, contact: VAPIDContact?, time: any TimeSource) {
        self.key = key
        self.contact = contact
        self.time = time
    }

    /// The value of `Authorization` (RFC 8292 section 3). A token is used until half of its life is over, or the clock was set back.
    func authorization(for origin: PushOrigin) throws(PushError) -> String {
        let now = time.date
        let kept = entries.withLock { $0[origin] }
        if let kept, (0..<Self.lifetime / 2).contains(now.timeIntervalSince(kept.made)) { return kept.header }
        let token = try key.token(for: origin, expiry: now.addingTimeInterval(Self.lifetime), contact: contact)
        let header = "vapid t=\(token), k=\(Base64URL.encode(key.publicKey))"
        entries.withLock { entries in
            if entries[origin] == nil, entries.count >= Self.capacity,
                let oldest = entries.min(by: { $0.value.made < $1.value.made })
            {
                entries[oldest.key] = nil
            }
            entries[origin] = Entry(header: header, made: now)
        }
        return header
    }
}
