import Kernel
import Logging
import Sealing
import Signaling
import Synchronization
import Transport

/// A phone's sockets to a hub, which break or stand still after so many bytes were sent.
final class MeteredSockets: Sendable {
    enum Fault: Sendable {
        case cut
        /// Until ``release()``.
        case hold
    }

    private struct State {
        /// Bytes behind the fault before it.
        var faults: [(after: Int, fault: Fault)]
        var sent = 0
        var cuts = 0
    }

    private let state: Mutex<State>
    private let isHolding = LatestValue(false)
    private let isReleased = LatestValue(false)

    init(_ faults: [(after: Int, fault: Fault)] = []) { state = Mutex(State(faults: faults)) }

    /// Sockets that were cut.
    var cuts: Int { state.withLock(\.cuts) }

    func untilHolding() async { for await isHolding in isHolding.values() where isHolding { return } }
    func release() { isReleased.set(true) }

    /// Over real sockets.
    var access: SignalAccess {
        var logger = Logger(label: "metered")
        logger.logLevel = .critical
        return SignalAccess { [self, logger] identity, _ in
            WebSocketSignalClient(identity: identity, logger: logger) { [self] url in
                MeteredChannel(try await WebSocketConnection.connect(to: url), by: self)
            }
        }
    }

    /// - Throws: `WebSocketError.closed` where the socket breaks here.
    fileprivate func pass(_ count: Int, of channel: any WebSocketChannel) async throws {
        let fault = state.withLock { state -> Fault? in
            state.sent += count
            guard let next = state.faults.first, state.sent >= next.after else { return nil }
            state.sent = 0
            state.faults.removeFirst()
            if next.fault == .cut { state.cuts += 1 }
            return next.fault
        }
        switch fault {
        case .cut:
            channel.abort()
            throw WebSocketError.closed
        case .hold:
            isHolding.set(true)
            for await isReleased in isReleased.values() where isReleased { return }
        case nil: return
        }
    }
}

private final class MeteredChannel: WebSocketChannel {
    private let channel: any WebSocketChannel
    private let sockets: MeteredSockets

    init(_ channel: any WebSocketChannel, by sockets: MeteredSockets) {
        self.channel = channel
        self.sockets = sockets
    }

    var host: String { channel.host }
    var certificateHash: [UInt8]? { channel.certificateHash }
    var remoteAddress: String? { channel.remoteAddress }
    var closure: WebSocketClosure? { channel.closure }
    func send(text: String) async throws { try await channel.send(text: text) }

    func send(binary head: [UInt8], _ body: ArraySlice<UInt8>) async throws {
        try await sockets.pass(head.count + body.count, of: channel)
        try await channel.send(binary: head, body)
    }

    func ping() async throws { try await channel.ping() }
    func readMessages(_ body: @Sendable (WebSocketMessage) async -> Void) async { await channel.readMessages(body) }
    func close() async { await channel.close() }
    func acknowledgementAge() async -> Duration? { await channel.acknowledgementAge() }
    func retransmissions() async -> Int { await channel.retransmissions() }
    func abort() { channel.abort() }
}
