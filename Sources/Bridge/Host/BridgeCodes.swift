import Foundation
import Kernel
import Rights
import Sealing
import Synchronization

/// Codes that were shown for new devices: each is good once, for five minutes, and only while the program runs.
final class BridgeCodes: Sendable {
    static let lifetime = Duration.seconds(300)
    /// The most codes that are kept; a new one replaces the oldest.
    static let countLimit = 8

    /// The outcome of a code.
    enum Outcome: Hashable, Sendable {
        case open
        /// It gave the token with this id.
        case given(String)
        /// It gives none any more.
        case over
    }

    private struct Code {
        let outcome: LatestValue<Outcome>
        let hash: [UInt8]
        let rights: Set<Right>
        let name: String?
        let end: ContinuousClock.Instant
    }

    private let codes = Mutex<[Code]>([])

    /// 128 bits.
    func make(rights: Set<Right>, name: String?, now: ContinuousClock.Instant)
        -> (text: String, outcome: LatestValue<Outcome>)
    {
        let text = Base64URL.encode(RandomBytes.make(16))
        let outcome = LatestValue(Outcome.open)
        let code = Code(
            outcome: outcome,
            hash: BridgeTokens.hash(text),
            rights: rights,
            name: name,
            end: now + Self.lifetime
        )
        let ended = codes.withLock { codes in
            let stay = codes.filter { $0.end > now }.suffix(Self.countLimit - 1)
            let ended = codes.filter { code in !stay.contains { $0.hash == code.hash } }
            codes = stay + [code]
            return ended
        }
        for code in ended { code.outcome.set(.over) }
        return (text, outcome)
    }

    /// Uses a code up.
    ///
    /// - Returns: What its device may do, the name that the owner gave it ahead, and where it is said what came of it; nil for what is no
    ///   code, or not any more.
    func take(_ text: String, now: ContinuousClock.Instant)
        -> (rights: Set<Right>, name: String?, outcome: LatestValue<Outcome>)?
    {
        let shown = BridgeTokens.hash(text)
        return codes.withLock { codes in
            var found: Int?
            for (index, code) in codes.enumerated() where BridgeTokens.areEqual(shown, code.hash) { found = index }
            guard let found else { return nil }
            let code = codes.remove(at: found)
            return code.end > now ? (code.rights, code.name, code.outcome) : nil
        }
    }
}
