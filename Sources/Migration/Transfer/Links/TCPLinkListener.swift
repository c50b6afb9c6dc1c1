import NIOCore
import NIOPosix
import Synchronization

/// Accepts connections of the other phone in the local network. One link is served at a time; a few more wait unread, and the oldest of them makes room.
public final class TCPLinkListener: MigrationLinks {
    /// Connections that wait.
    private static let limit = 8

    private struct State {
        var waiting: [TCPLink] = []
        var waiter: CheckedContinuation<TCPLink?, Never>?
        var isClosed = false

        mutating func takeWaiter() -> CheckedContinuation<TCPLink?, Never>? {
            defer { waiter = nil }
            return waiter
        }
    }

    public var dials: Bool { false }
    /// The port that the system gave.
    public let port: Int
    private let server: any Channel
    private let holder: Holder

    /// What the acceptor's closure fills, which is made before the listener.
    private final class Holder: Sendable {
        let state = Mutex(State())
    }

    /// - Parameters:
    ///   - host: A numeric address of this phone's, for example `0.0.0.0` or `::`.
    ///   - port: 0 lets the system choose.
    /// - Throws: ``MigrationTransferError/badAddress(what:)``.
    public static func bind(host: String, port: Int) async throws -> TCPLinkListener {
        let holder = Holder()
        do {
            let server = try await TCPChannels.server
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try TCPLink.make(on: channel) { Self.arrived($0, holder) }
                    }
                }
                .bind(host: host, port: port)
                .get()
            return TCPLinkListener(server, holder)
        } catch {
            throw MigrationTransferError.badAddress(what: "\(host):\(port)")
        }
    }

    private init(_ server: any Channel, _ holder: Holder) {
        self.server = server
        self.holder = holder
        port = server.localAddress?.port ?? 0
    }

    public func next() async throws -> any MigrationLink {
        let link = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let (isReady, link) = holder.state.withLock { state -> (Bool, TCPLink?) in
                    if !state.waiting.isEmpty { return (true, state.waiting.removeFirst()) }
                    guard !state.isClosed, !Task.isCancelled else { return (true, nil) }
                    state.waiter = waiter
                    return (false, nil)
                }
                if isReady { waiter.resume(returning: link) }
            }
        } onCancel: {
            holder.state.withLock { $0.takeWaiter() }?.resume(returning: nil)
        }
        if Task.isCancelled {
            link?.close()
            throw CancellationError()
        }
        guard let link else { throw MigrationTransferError.linkLost }
        return link
    }

    /// Listens no longer, and ends the connections that wait.
    public func close() async {
        let (waiter, links) = holder.state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return (state.takeWaiter(), state.waiting)
        }
        waiter?.resume(returning: nil)
        for link in links { link.close() }
        // A server that is closed already has nothing left to end.
        try? await server.close()
    }

    private static func arrived(_ link: TCPLink, _ holder: Holder) {
        let (waiter, surplus) = holder.state.withLock { state -> (CheckedContinuation<TCPLink?, Never>?, TCPLink?) in
            if state.isClosed { return (nil, link) }
            if let waiter = state.takeWaiter() { return (waiter, nil) }
            state.waiting.append(link)
            return (nil, state.waiting.count > limit ? state.waiting.removeFirst() : nil)
        }
        waiter?.resume(returning: link)
        surplus?.close()
    }
}
