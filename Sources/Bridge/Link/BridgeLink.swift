import Kernel
import Signaling
import Synchronization
public import Transport

/// A socket of the bridge as a way between paired devices: each message is one frame of their sealed session, as a JSON text.
/// Source: `docs/protocol.md` 2.8, "The bridge".
public final class BridgeLink: Link {
    /// Frames kept for a session that is busy. What is lost beyond it the session sends again.
    private static let capacity = 512

    /// Directly, whatever network is in between.
    public let kind = LinkKind.lan
    private let peer: any WebSocketPeer
    private let inbound: AsyncStream<LinkFrame>
    private let reader: AsyncStream<LinkFrame>.Continuation
    private let proven = Mutex(false)
    private let whenProven: @Sendable () -> Void

    /// - Parameter whenProven: Called once, when it belongs to a session of paired devices.
    package init(_ peer: any WebSocketPeer, whenProven: @escaping @Sendable () -> Void = {}) {
        self.peer = peer
        self.whenProven = whenProven
        (inbound, reader) = AsyncStream.makeStream(
            of: LinkFrame.self,
            bufferingPolicy: .bufferingOldest(Self.capacity)
        )
    }

    /// The frame with which a first message begins or continues a session; nil for one that is no such frame.
    package static func opening(_ bytes: [UInt8]) -> LinkFrame? {
        guard let frame = frame(bytes) else { return nil }
        switch frame {
        case .handshake(_, _, let index, _, _): return index == 1 ? frame : nil
        case .record: return frame
        case .notice: return nil
        }
    }

    private static func frame(_ bytes: [UInt8]) -> LinkFrame? {
        (try? JSONValue(parsing: bytes)).flatMap { SealedPayload.decode($0) }
    }

    /// Whether it belongs to a session of paired devices.
    package var isProven: Bool { proven.withLock { $0 } }

    /// Hands on what arrived; anything but a frame is dropped.
    package func deliver(_ bytes: [UInt8]) {
        if let frame = Self.frame(bytes) { reader.yield(frame) }
    }

    /// Hands on one frame.
    package func deliver(_ frame: LinkFrame) { reader.yield(frame) }

    /// The socket is gone.
    package func end() { reader.finish() }

    public func frames() -> AsyncStream<LinkFrame> { inbound }

    public func send(_ frame: LinkFrame) async throws {
        // Records are for the session's own peer: a socket that gets one is not a stranger's any more.
        if case .record = frame { prove() }
        do {
            try await peer.send(text: SealedPayload.encode(frame).canonicalBytes)
        } catch WebSocketError.closed {
            throw SessionError.linkDown
        }
    }

    public func belongs(to peer: SessionPeer) { prove() }

    private func prove() {
        let isFirst = proven.withLock { proven in
            defer { proven = true }
            return !proven
        }
        if isFirst { whenProven() }
    }

    public func doubt() {
        // Its end ends the socket's messages.
        Task { [peer] in try? await peer.ping() }
    }

    public func close() async {
        reader.finish()
        await peer.close(.normal, reason: "")
    }
}
