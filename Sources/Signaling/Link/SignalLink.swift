import Synchronization
public import Transport

/// Carries a session's frames to one device through a signaling server: as compact binary frames where server and
/// device take them, else as JSON that any relay forwards.
///
/// It is down once the client is not registered any more or the device is away; its source then brings another.
public final class SignalLink: Link {
    /// The number of frames kept for a busy session. The session sends frames again that are lost beyond it.
    private static let capacity = 512

    public let kind: LinkKind
    /// The id that the other end is registered under.
    public let peer: String
    private let client: any SignalClient
    private let inbound: AsyncStream<LinkFrame>
    private let reader: AsyncStream<LinkFrame>.Continuation
    private let isDown = Mutex(false)
    /// Whether the other side knows whose records come over this link, which a compact record does not say.
    private let isKnown = Atomic(false)
    private let whenClosed: @Sendable () -> Void

    /// - Parameter whenClosed: Called when the session gives the link up, not when its source ends it.
    init(client: any SignalClient, peer: String, kind: LinkKind, whenClosed: @escaping @Sendable () -> Void) {
        self.client = client
        self.peer = peer
        self.kind = kind
        self.whenClosed = whenClosed
        (inbound, reader) = AsyncStream.makeStream(
            of: LinkFrame.self,
            bufferingPolicy: .bufferingOldest(Self.capacity)
        )
    }

    public func frames() -> AsyncStream<LinkFrame> { inbound }

    public func send(_ frame: LinkFrame) async throws {
        guard !isEnded else { throw SessionError.linkDown }
        if isKnown.load(ordering: .relaxed), case .record(_, let generation, let sequence, let ciphertext) = frame {
            let compact = SignalBinaryFrame(
                flags: UInt8(truncatingIfNeeded: generation),
                sequence: sequence,
                ciphertext: ciphertext
            )
            do {
                return try await client.sendBinary(compact, to: peer)
            } catch SignalError.binaryUnavailable {
                // It is sent as JSON instead.
            }
        }
        try await client.send(SignalMessage(to: peer, payload: SealedPayload.encode(frame)))
    }

    public func doubt() { client.checkConnection() }

    public func close() async {
        guard end() else { return }
        whenClosed()
    }

    var isEnded: Bool { isDown.withLock { $0 } }

    func deliver(_ frame: LinkFrame) {
        switch frame {
        case .handshake, .record: isKnown.store(true, ordering: .relaxed)
        // The other side has no session, or lost it.
        case .notice: isKnown.store(false, ordering: .relaxed)
        }
        reader.yield(frame)
    }

    /// - Returns: False when it was down already.
    @discardableResult
    func end() -> Bool {
        let wasDown = isDown.withLock { isDown in
            defer { isDown = true }
            return isDown
        }
        guard !wasDown else { return false }
        reader.finish()
        return true
    }
}

extension LinkFrame {
    /// The session's frame in an event, and the sender that the server stamped.
    static func received(_ event: SignalEvent) -> (from: String, frame: LinkFrame)? {
        switch event {
        case .message(let message):
            guard message.kind == .message, let from = message.from, let frame = SealedPayload.decode(message.payload)
            else { return nil }
            return (from, frame)
        case .binary(let from, let frame):
            guard frame.kind == SignalBinaryFrame.recordKind else { return nil }
            return (
                from,
                .record(
                    nil,
                    generation: UInt32(frame.flags),
                    sequence: frame.sequence,
                    ciphertext: frame.ciphertext
                )
            )
        default: return nil
        }
    }
}
