public import Accounts
public import Sealing

/// The lists of an account's devices since its beginning, or since it began anew: each is signed by a device of the one before, so that nobody else, the hub
/// included, can put a device into it. Source: `docs/protocol.md` 2.10.1.
public struct AccountChain: Hashable, Sendable {
    /// Entries of one chain.
    public static let entryLimit = 1000

    public let start: ChainEntry
    /// The entries behind the first one.
    public private(set) var later: [ChainEntry] = []

    /// A chain of one entry.
    ///
    /// - Throws: ``ChatSealingError/notContinuation`` for another entry than the first of a chain.
    public init(start: ChainEntry) throws(ChatSealingError) {
        guard start.number == 0 else { throw .notContinuation }
        self.start = start
    }

    /// - Throws: As ``init(start:)`` and ``append(_:)``; ``ChatSealingError/malformed(_:)`` for no entry.
    public init(_ entries: [ChainEntry]) throws(ChatSealingError) {
        guard let first = entries.first else { throw .malformed("entries") }
        try self.init(start: first)
        for entry in entries.dropFirst() { try append(entry) }
    }

    public var entries: [ChainEntry] { [start] + later }
    public var newest: ChainEntry { later.last ?? start }
    public var user: UserID { start.user }

    /// The entry of a number; nil where the chain does not reach it.
    public func entry(_ number: Int) -> ChainEntry? {
        guard number > 0 else { return number == 0 ? start : nil }
        return number <= later.count ? later[number - 1] : nil
    }

    /// Takes the next entry.
    ///
    /// - Throws: As ``ChainEntry/checkFollows(_:)``.
    public mutating func append(_ entry: ChainEntry) throws(ChatSealingError) {
        try entry.checkFollows(newest)
        later.append(entry)
    }

    /// What another copy of the same person's chain says to somebody who has believed this one.
    public func news(in other: AccountChain) -> ChainNews {
        guard other.user == user else { return .forked }
        guard other.start.hash == start.hash else { return other.start.reason == .lost ? .restarted : .forked }
        for (mine, theirs) in zip(later, other.later) where mine.hash != theirs.hash { return .forked }
        if other.later.count < later.count { return .behind }
        guard other.later.count > later.count else { return .same }
        let (before, after) = (newest.devices, other.newest.devices)
        return .grown(
            added: after.filter { device in !before.contains { $0.did == device.did } },
            removed: before.filter { device in !after.contains { $0.did == device.did } }
        )
    }
}

/// What becomes of a chain that was believed once.
public enum ChainNews: Hashable, Sendable {
    case same
    /// It goes on, with these devices more and those fewer than before.
    case grown(added: [ListedDevice], removed: [ListedDevice])
    /// The person lost all devices, or somebody else says so.
    case restarted
    /// It is another one: the hub shows different people different lists.
    case forked
    /// Entries that were there are missing: the hub has gone back to an older state, or withholds.
    case behind
}

// MARK: Making entries

extension AccountChain {
    /// A new account's chain, signed by the device that made it.
    ///
    /// - Parameter now: Milliseconds since 1970.
    public static func first(of user: UserID, by identity: Identity, named name: String, at now: Int64) throws
        -> AccountChain
    {
        let device = try ListedDevice(identity.did, name: name, since: now)
        return try AccountChain(
            start: .signed(user, number: 0, previous: nil, devices: [device], reason: .first, by: identity)
        )
    }

    /// A chain that begins anew, because all devices of the one before are lost.
    ///
    /// - Parameter lost: The hash of the newest entry that the hub has.
    public static func restarted(
        of user: UserID,
        after lost: [UInt8],
        by identity: Identity,
        named name: String,
        at now: Int64
    ) throws -> AccountChain {
        let device = try ListedDevice(identity.did, name: name, since: now)
        return try AccountChain(
            start: .signed(user, number: 0, previous: lost, devices: [device], reason: .lost, by: identity)
        )
    }

    /// With one device more.
    ///
    /// - Parameter identity: A device of the newest entry.
    public func adding(_ device: ListedDevice, by identity: Identity) throws -> AccountChain {
        try changed(newest.devices + [device], .added, by: identity)
    }

    /// Without a device. The last one cannot go: who has none left begins anew.
    public func removing(_ device: DID, by identity: Identity) throws -> AccountChain {
        try changed(newest.devices.filter { $0.did != device }, .removed, by: identity)
    }

    private func changed(
        _ devices: [ListedDevice],
        _ reason: ChainEntry.Reason,
        by identity: Identity
    ) throws -> AccountChain {
        var chain = self
        try chain.append(
            .signed(
                user,
                number: newest.number + 1,
                previous: newest.hash,
                devices: devices,
                reason: reason,
                by: identity
            )
        )
        return chain
    }
}
