public import Kernel
import Sealing

/// The secrets by which one phone proves itself and its peer: what is shown or was typed, and from the first proof on the migration's keys.
public actor MigrationCredentials {
    /// What the person brings to the old phone.
    public enum Entry: Hashable, Sendable {
        case pin(MigrationPIN)
        case code(MigrationCode)
    }

    /// What the new phone shows. Nothing of it is accepted after a proof, and of the PIN nothing after three tries or two minutes.
    public struct Shown: Hashable, Sendable {
        public var pin: MigrationPIN
        public var code: MigrationCode
        /// Tries of the PIN that are left.
        public var attemptsLeft: Int
    }

    private struct Offer {
        let pin: MigrationPIN
        let code: MigrationCode
        let identity: Identity
        var attempts: PINAttempts
    }

    /// Those of the last proof by PIN or code; nil before the first one.
    public private(set) var keys: MigrationKeys?
    private let time: any TimeSource
    private let ask: @Sendable () async throws -> Entry
    private let keep: @Sendable (MigrationKeys) async throws -> Void
    private var offer: Offer?
    private var entry: Entry?
    /// Whether a peer has seen a tag made from the PIN that was typed: from then on it has had its guess.
    private var isEntrySpent = false
    /// Refusals of the keys in a row. A peer that was killed before it stored them does not know them.
    private var refusals = 0
    private static let maximumRefusals = 2

    /// - Parameters:
    ///   - keys: Those of a migration that goes on after a restart.
    ///   - keep: Stores the keys of a proof by PIN or code; nothing of the package is sent before it returns.
    ///   - ask: Asks the person for what the new phone shows: on the old phone only, and again after each entry that failed.
    public init(
        keys: MigrationKeys? = nil,
        time: any TimeSource,
        keep: @escaping @Sendable (MigrationKeys) async throws -> Void,
        ask: @escaping @Sendable () async throws -> Entry
    ) {
        self.keys = keys
        self.time = time
        self.keep = keep
        self.ask = ask
    }

    /// The new phone's credentials, which asks nobody.
    public init(
        keys: MigrationKeys? = nil,
        time: any TimeSource,
        keep: @escaping @Sendable (MigrationKeys) async throws -> Void
    ) {
        self.init(keys: keys, time: time, keep: keep) { throw MigrationTransferError.peerNotProven }
    }

    /// Makes a new PIN and a new code, on the new phone. Those before no longer work.
    public func show(addresses: [String]) -> Shown {
        let identity = Identity()
        let made = Offer(
            pin: MigrationPIN(),
            code: MigrationCode(
                publicKey: identity.agreementKey,
                secret: RandomBytes.make(16),
                addresses: addresses
            ),
            identity: identity,
            attempts: PINAttempts(shownAt: time.now)
        )
        offer = made
        return Shown(pin: made.pin, code: made.code, attemptsLeft: made.attempts.left)
    }

    /// What is shown now; nil once it was used.
    public var shown: Shown? {
        offer.map { Shown(pin: $0.pin, code: $0.code, attemptsLeft: $0.attempts.left) }
    }

    /// What the old phone proves itself with: the keys, or what the person typed or scanned.
    func sourceSecret() async throws -> SourceSecret {
        if let keys, refusals < Self.maximumRefusals { return .resumption(keys.resumption) }
        if entry == nil || isEntrySpent {
            let asked = try await ask()
            (entry, isEntrySpent) = (asked, false)
        }
        switch entry {
        case .pin(let pin): return .pin(pin)
        case .code(let code): return .code(code)
        case nil: throw MigrationTransferError.peerNotProven
        }
    }

    /// The peer is about to see what lets it check one guess. A cut link gives the guess back to nobody.
    func spendEntry() { isEntrySpent = true }

    /// Counts one try of the PIN and gives it.
    ///
    /// - Throws: ``MigrationTransferError/pinExpired``, ``MigrationTransferError/wrongPIN(attemptsLeft:)`` with none left.
    func beginPIN() throws(MigrationTransferError) -> MigrationPIN {
        guard var current = offer else { throw .pinExpired }
        defer { offer?.attempts = current.attempts }
        try current.attempts.begin(at: time.now)
        return current.pin
    }

    var attemptsLeft: Int { offer?.attempts.left ?? 0 }

    /// - Throws: ``MigrationTransferError/pinExpired`` once the code was used.
    func shownCode() throws(MigrationTransferError) -> (secret: [UInt8], identity: Identity) {
        guard let offer else { throw .pinExpired }
        return (offer.code.secret, offer.identity)
    }

    /// The peer did not accept what this side proved itself with, or did not prove itself.
    func refused() {
        isEntrySpent = true
        if keys != nil { refusals += 1 }
    }

    /// The peer is proven, and has shown that it has the keys, too.
    ///
    /// - Parameter isResumption: Whether the keys of an earlier proof did it, which then stay those of the migration.
    func proven(_ channel: ChannelKeys, isResumption: Bool) async throws {
        offer = nil
        entry = nil
        refusals = 0
        guard !isResumption else { return }
        let made = MigrationKeys(channel)
        try await keep(made)
        keys = made
    }
}
