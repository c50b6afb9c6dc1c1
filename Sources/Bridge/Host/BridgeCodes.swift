import Foundation
import Kernel
import Rights
import Sealing
import Synchronization

/// Codes that were shown for new devices: each is good once, for five minutes, and only while the program runs.
final class BridgeCodes: Sendable {
    static let lifetime = Duration.seconds(300)
    /// Of those shown lately; the oldest goes.
    static let countLimit = 8

    private struct Code {
        let hash: [UInt8]
        let rights: Set<Right>
        let name: String?
        let end: ContinuousClock.Instant
    }

    private let codes = Mutex<[Code]>([])

    /// 128 bits.
    func make(rights: Set<Right>, name: String?, now: ContinuousClock.Instant) -> String {
        let text = Base64URL.encode(RandomBytes.make(16))
        codes.withLock { codes in
            codes = codes.filter { $0.end > now }.suffix(Self.countLimit - 1)
            codes.append(Code(hash: BridgeTokens.hash(text), rights: rights, name: name, end: now + Self.lifetime))
        }
        return text
    }

    /// Uses a code up.
    ///
    /// - Returns: What its device may do, and the name that the owner gave it ahead; nil for what is no code, or not any more.
    func take(_ text: String, now: ContinuousClock.Instant) -> (rights: Set<Right>, name: String?)? {
        let shown = BridgeTokens.hash(text)
        return codes.withLock { codes in
            var found: Int?
            for (index, code) in codes.enumerated() where BridgeTokens.areEqual(shown, code.hash) { found = index }
            guard let found else { return nil }
            let code = codes.remove(at: found)
            return code.end > now ? (code.rights, code.name) : nil
        }
    }
}
