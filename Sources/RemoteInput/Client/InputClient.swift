public import Commands
import Kernel

/// The pointer and the keyboard of a paired computer.
///
/// Each call throws ``RemoteFailure`` when the computer refused, and ``RemoteError`` when no answer came or it could not be read.
public struct InputClient: Sendable {
    /// The time for an opening: the person at the computer may have to say yes there, and has a minute.
    private static let openingTime = Duration.seconds(75)

    private let peer: any Peer

    public init(_ peer: any Peer) { self.peer = peer }

    /// Takes control, if no other phone has it.
    ///
    /// - Parameter takesOver: Whether another phone's control ends for this one.
    /// - Throws: Also ``RemoteFailure`` with ``FailureCode/unsupported`` where the computer's pointer cannot be reached, with a sentence that
    ///   says why.
    public func open(takingOver takesOver: Bool = false) async throws -> InputOpened {
        try await peer.call(InputMethods.open, OpenInput(takesOver: takesOver), timeout: Self.openingTime)
    }

    /// Tells each time that the person at the computer is asked first, from now on: the seconds that they have.
    public func asked() async throws -> some AsyncSequence<Int64, Never> & Sendable {
        try await peer.events().compactMap { event in
            event.isOf(.inputAsked) ? event.members["seconds"]?.integerValue : nil
        }
    }

    /// The control of an opened session, for one caller.
    public func session(_ facts: InputSessionFacts) -> InputSession { InputSession(peer, facts) }

    /// The ends of this phone's controls, from now on.
    public func ends() async throws -> some AsyncSequence<InputEnd, Never> & Sendable {
        try await peer.events().compactMap { InputEnd($0) }
    }
}

/// One control that was opened: sends events in numbered batches, one after the other.
public actor InputSession {
    /// The session's facts.
    public nonisolated let facts: InputSessionFacts
    private let peer: any Peer
    private var next: Int64 = 1

    init(_ peer: any Peer, _ facts: InputSessionFacts) {
        self.peer = peer
        self.facts = facts
    }

    /// Does these events in order, in as many batches as they need. Moves that follow each other become one.
    public func send(_ events: [InputEvent]) async throws {
        for batch in Self.batches(events) {
            let call = InputBatch(sessionID: facts.sessionID, first: next, events: batch)
            next += Int64(batch.count)
            _ = try await peer.call(InputMethods.send, call)
        }
    }

    /// Ends the control; the computer lets go of what was held down.
    public func close() async throws {
        _ = try await peer.call(InputMethods.close, InputSessionChoice(facts.sessionID))
    }

    static func batches(_ events: [InputEvent]) -> [[InputEvent]] {
        var batches: [[InputEvent]] = []
        var batch: [InputEvent] = []
        var bytes = 0
        for event in coalesced(events).flatMap(pieces) {
            let size = if case .text(let text) = event { text.utf8.count } else { 0 }
            if batch.count == InputBatch.countLimit || bytes + size > InputBatch.textLimit {
                batches.append(batch)
                (batch, bytes) = ([], 0)
            }
            batch.append(event)
            bytes += size
        }
        if !batch.isEmpty { batches.append(batch) }
        return batches
    }

    static func coalesced(_ events: [InputEvent]) -> [InputEvent] {
        events.reduce(into: []) { kept, event in
            switch (kept.last, event) {
            case (.move(let dx, let dy)?, .move(let moreX, let moreY)):
                kept[kept.count - 1] = .move(dx: dx + moreX, dy: dy + moreY)
            case (.place?, .place), (.move?, .place):
                kept[kept.count - 1] = event
            default:
                kept.append(event)
            }
        }
    }

    /// A long text becomes several, cut between characters.
    private static func pieces(_ event: InputEvent) -> [InputEvent] {
        guard case .text(let text) = event, text.utf8.count > InputEvent.textLimit else { return [event] }
        var pieces: [InputEvent] = []
        var piece = ""
        for scalar in text.unicodeScalars {
            if piece.utf8.count + UTF8.width(scalar) > InputEvent.textLimit {
                pieces.append(.text(piece))
                piece = ""
            }
            piece.unicodeScalars.append(scalar)
        }
        return piece.isEmpty ? pieces : pieces + [.text(piece)]
    }
}
