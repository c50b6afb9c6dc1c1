public import Sealing

/// What is known of an id, whether its device is connected or not.
public struct DirectoryEntry: Hashable, Sendable {
    /// The key that owns the id. Nil until somebody proved one.
    public var key: DID?
    /// Ids with which frames went both ways.
    public var contacts: Set<PeerID>

    public init(key: DID? = nil, contacts: Set<PeerID> = []) {
        self.key = key
        self.contacts = contacts
    }
}

/// Who owns which id, and who knows whom.
public protocol Directory: Sendable {
    func entries(for ids: [PeerID]) async throws -> [PeerID: DirectoryEntry]

    /// Gives an id to a key, on disk, unless another has it.
    ///
    /// - Returns: The key that has it now.
    func bind(_ key: DID, to id: PeerID) async throws -> DID

    /// Remembers that frames went from one to the other.
    ///
    /// - Returns: For each pair, whether frames also went the other way: then the two are contacts.
    func noteSent(_ pairs: [SentPair]) async throws -> [Bool]
}

/// A sender and the one it sent to.
public struct SentPair: Hashable, Sendable {
    public var sender: PeerID
    public var recipient: PeerID
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var at: Int64

    public init(sender: PeerID, recipient: PeerID, at: Int64) {
        self.sender = sender
        self.recipient = recipient
        self.at = at
    }
}
