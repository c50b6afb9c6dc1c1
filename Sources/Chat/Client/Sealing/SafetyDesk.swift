public import Accounts
public import Chat

/// What a person does about sealing: compares numbers, and agrees to what sealing refuses without a deliberate act. A seam beside
/// ``MessageSealing``, for accounts with keys.
public protocol SafetyDesk: Sendable {
    /// The numbers to compare, for both people the same.
    func safety(of conversation: ConversationID) async throws -> SealStanding
    /// Notes that the numbers were compared and are the same, or takes that back.
    func verify(_ conversation: ConversationID, _ isVerified: Bool) async throws -> SealStanding
    /// - Throws: ``ChatError`` where there is nothing to agree to.
    func agree(_ conversation: ConversationID, to kind: ChatControl.Agreement.Kind) async throws -> SealStanding
    /// SHA-256 of the first entry of the own list of devices, for the own link; nil before there is one.
    func ownChain() async -> [UInt8]?
    /// A link named the person with the hash of their first entry: the hub can put no other in its place.
    ///
    /// - Throws: ``ChatError`` where another one was seen before.
    func met(_ person: UserID, chain: [UInt8]) async throws
}
