public import Sealing

/// The state that sessions keep on disk, for each peer. When a call returns, its write survives a crash.
public protocol SessionStore: Sendable {
    /// The ticket of the last session with `peer`.
    func ticket(for peer: AgreementPublicKey) async throws -> ResumptionTicket?
    /// The ticket with this id, of any peer.
    func ticket(id: [UInt8]) async throws -> ResumptionTicket?
    /// Replaces the peer's ticket.
    func save(_ ticket: ResumptionTicket) async throws

    /// A handshake counter for a message to `peer`: at least `clock`, and greater than every one before it.
    func nextCounter(to peer: AgreementPublicKey, clock: Int64) async throws -> Int64
    /// Whether `counter` is greater than every one accepted from `peer` before. If so it is the greatest from now on.
    func acceptCounter(_ counter: Int64, from peer: AgreementPublicKey) async throws -> Bool

    /// Adds a message to the peer's outbox.
    ///
    /// - Returns: Its number.
    func appendOutbound(_ bytes: [UInt8], to peer: AgreementPublicKey) async throws -> UInt64
    /// Messages that were not removed yet, in order.
    func outbound(to peer: AgreementPublicKey) async throws -> [DurableMessage]
    /// Keeps a message until it is moved into the outbox by ``moveKept(to:at:bounds:)``.
    ///
    /// - Parameter time: Milliseconds since 1970.
    /// - Returns: How many older ones were dropped to stay within the bounds, replaced ones not counted.
    func keep(_ message: KeptMessage, for peer: AgreementPublicKey, at time: Int64, bounds: KeptBounds) async throws
        -> Int
    /// Moves the oldest kept message into the peer's outbox, all or nothing. Those that are too old by then are dropped.
    ///
    /// - Returns: It with its number; nil when none is kept.
    func moveKept(to peer: AgreementPublicKey, at time: Int64, bounds: KeptBounds) async throws -> DurableMessage?
    /// Drops what is kept about these topics.
    func dropKept(topics: Set<String>, for peer: AgreementPublicKey) async throws

    /// Removes what the peer has acknowledged: everything up to `number`.
    func removeOutbound(through number: UInt64, to peer: AgreementPublicKey) async throws

    /// The greatest durable number from `peer` that was handled here, 0 at first.
    func inboundCursor(from peer: AgreementPublicKey) async throws -> UInt64
    /// Moves the cursor on; never back.
    func advanceInboundCursor(to number: UInt64, from peer: AgreementPublicKey) async throws

    /// Lets the peer's durable messages count from one again, without the ticket of the session before. What this end counts by goes on:
    /// a peer that still knows it takes no handshake counter twice.
    func startOver(with peer: AgreementPublicKey) async throws
    /// Removes everything about a peer: for when it is unpaired.
    func forget(_ peer: AgreementPublicKey) async throws
}
