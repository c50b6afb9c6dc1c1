import Kernel
import Principals
import Rights

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

    /// What its device may do, and the name that the owner gave it ahead.
    struct Code: Sendable {
        let rights: Set<Right>
        let name: String?
        /// Where it is said what came of it.
        let outcome = LatestValue(Outcome.open)
    }

    private let secrets: OneTimeSecrets<Code>

    init(time: any TimeSource) {
        secrets = OneTimeSecrets(lifetime: Self.lifetime, limit: Self.countLimit, time: time)
    }

    func make(rights: Set<Right>, name: String?) -> (text: String, outcome: LatestValue<Outcome>) {
        let secret = Secret(bytes: 16)
        let code = Code(rights: rights, name: name)
        for ended in secrets.add(secret.hash(), code) { ended.outcome.set(.over) }
        return (secret.text, code.outcome)
    }

    /// Uses a code up.
    ///
    /// - Returns: Nil for what is no code, or not any more.
    func take(_ text: String) -> Code? { secrets.take(SecretHash(of: text)) }
}
