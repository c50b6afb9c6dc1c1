/// A secret that opens something for its bearer, as it is kept: by its hash.
package struct BearerEntry<Holder: Hashable & Sendable>: Hashable, Sendable {
    /// A secret that was told in the place of the one in use, and was not shown yet.
    package struct Successor: Hashable, Sendable {
        package let hash: SecretHash
        /// When the first one was told. Milliseconds since 1970-01-01T00:00:00Z, as all times here.
        package let since: Int64

        package init(hash: SecretHash, since: Int64) {
            self.hash = hash
            self.since = since
        }
    }

    /// Names the entry where it is listed and taken back. It opens nothing.
    package let id: String
    package let holder: Holder
    package let createdAt: Int64
    /// Nil: it is good until it is taken back.
    package let endsAt: Int64?
    package internal(set) var hash: SecretHash
    /// When the secret in use was made.
    package internal(set) var secretSince: Int64
    package internal(set) var successor: Successor?
    package internal(set) var lastSeenAt: Int64?
    /// The place where the secret was last shown, as limits and people name it.
    package internal(set) var address: String?

    /// - Parameter secretSince: Nil: as long as the entry.
    package init(
        id: String,
        holder: Holder,
        hash: SecretHash,
        createdAt: Int64,
        endsAt: Int64? = nil,
        secretSince: Int64? = nil,
        successor: Successor? = nil,
        lastSeenAt: Int64? = nil,
        address: String? = nil
    ) {
        self.id = id
        self.holder = holder
        self.hash = hash
        self.createdAt = createdAt
        self.endsAt = endsAt
        self.secretSince = secretSince ?? createdAt
        self.successor = successor
        self.lastSeenAt = lastSeenAt
        self.address = address
    }

    /// - Parameter time: In milliseconds.
    func isOver(at time: Int64) -> Bool { endsAt.map { $0 <= time } ?? false }
}
