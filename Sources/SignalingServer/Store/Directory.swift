package import Sealing

/// The directory's entry for an id, whether its device is connected or not.
package struct DirectoryEntry: Hashable, Sendable {
    /// The key that owns the id. Nil until a device proved one.
    package var key: DID?
    /// When its owner last registered, to the day: milliseconds since 1970. 0 without an owner.
    package var seenAt: Int64
    /// Ids with which frames went both ways.
    package var contacts: Set<PeerID>

    package init(key: DID? = nil, seenAt: Int64 = 0, contacts: Set<PeerID> = []) {
        self.key = key
        self.seenAt = seenAt
        self.contacts = contacts
    }
}

/// The owners of ids, and which ids exchanged frames.
package protocol Directory: Sendable {
    /// One entry for each id; of an id that is not known an empty one.
    func entries(for ids: [PeerID]) async throws -> [PeerID: DirectoryEntry]

    /// Gives ids to keys, on disk, unless another has one or there is no room: ids are bounded, all together and for each key.
    ///
    /// - Returns: For each the key that has it now; nil without room.
    func bind(_ bindings: [KeyBinding]) async throws -> [DID?]

    /// Remembers that frames went from one to the other, if the other is here or was here before.
    ///
    /// - Returns: For each pair, whether frames also went the other way: then the two are contacts.
    func noteSent(_ pairs: [SentPair]) async throws -> [Bool]

    /// Takes an id from its key, and forgets whom it knows and how it was called.
    ///
    /// - Returns: Whether it belonged to one.
    func release(_ id: PeerID) async throws -> Bool

    /// The ids that belong to keys, those that were seen last first.
    ///
    /// - Parameters:
    ///   - place: The last of the page before; nil from the beginning.
    ///   - limit: How many are told at most.
    func owned(after place: OwnedID.Place?, limit: Int) async throws -> [OwnedID]

    /// How many ids belong to keys.
    func ownedCount() async throws -> Int

    /// What the operator calls ids: at most ``OwnedID/nameLimit`` have a name.
    func names() async throws -> [PeerID: String]

    /// Gives an id a name, or takes its name away.
    ///
    /// - Returns: False where there is no room for another name.
    func name(_ id: PeerID, _ name: String?) async throws -> Bool

    /// Forgets ids that were not seen since `unseenBefore` and for which nothing waits, and pairs that were not noted since
    /// `unheardBefore`: milliseconds since 1970.
    ///
    /// - Returns: How many ids are left.
    func sweep(unseenBefore: Int64, unheardBefore: Int64) async throws -> Int
}

/// An id that belongs to a key, whether its device is connected or not.
package struct OwnedID: Hashable, Sendable {
    /// How many ids can have a name.
    package static let nameLimit = 10_000

    /// Where an id stands in the order of ``Directory/owned(after:limit:)``.
    package struct Place: Hashable, Sendable {
        /// Milliseconds since 1970.
        package var seenAt: Int64
        package var id: PeerID

        package init(seenAt: Int64, id: PeerID) {
            self.seenAt = seenAt
            self.id = id
        }
    }

    package var id: PeerID
    package var key: DID
    /// When its owner last registered, to the day: milliseconds since 1970.
    package var seenAt: Int64

    package var place: Place { Place(seenAt: seenAt, id: id) }
}

/// An id that a key proved to be its own.
package struct KeyBinding: Sendable {
    /// The id that was proved.
    package var id: PeerID
    /// The key that proved it.
    package var key: DID
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package var at: Int64
    /// The id itself names the key, so that no other can have it.
    package var isCertified: Bool
    /// Asked once before an id that is not on disk is added.
    package var mayAdd: @Sendable () -> Bool

    package init(
        id: PeerID,
        key: DID,
        at: Int64,
        isCertified: Bool = false,
        mayAdd: @escaping @Sendable () -> Bool = { true }
    ) {
        self.id = id
        self.key = key
        self.at = at
        self.isCertified = isCertified
        self.mayAdd = mayAdd
    }
}

/// A sender and the one it sent to.
package struct SentPair: Hashable, Sendable {
    /// The id that sent.
    package var sender: PeerID
    /// The id it sent to.
    package var recipient: PeerID
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package var at: Int64
    /// Whether the recipient was connected. One that was not is noted only when it is known already.
    package var isRecipientHere: Bool

    package init(sender: PeerID, recipient: PeerID, at: Int64, isRecipientHere: Bool) {
        self.sender = sender
        self.recipient = recipient
        self.at = at
        self.isRecipientHere = isRecipientHere
    }
}
