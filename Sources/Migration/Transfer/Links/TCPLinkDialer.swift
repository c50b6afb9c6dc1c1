import NIOCore
import NIOPosix
import Synchronization

/// Dials the other phone in the local network, at one of its addresses after the other.
public actor TCPLinkDialer: MigrationLinks {
    public nonisolated var dials: Bool { true }
    private let addresses: [LinkAddress]
    private var next = 0

    /// - Parameter addresses: The likeliest first.
    /// - Throws: ``MigrationTransferError/badAddress(what:)`` for none.
    public init(_ addresses: [LinkAddress]) throws(MigrationTransferError) {
        guard !addresses.isEmpty else { throw .badAddress(what: "") }
        self.addresses = addresses
    }

    /// - Parameter addresses: `host:port` each, the likeliest first.
    /// - Throws: ``MigrationTransferError/badAddress(what:)``, also for none.
    public init(_ addresses: [String]) throws {
        try self.init(try addresses.map { try LinkAddress($0) })
    }

    public func next() async throws -> any MigrationLink {
        // Each failed attempt moves on to the next address, and a link that broke is first tried where it was.
        do {
            return try await connect(to: addresses[next % addresses.count])
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            next += 1
            throw MigrationTransferError.linkLost
        }
    }

    public func passOver() { next += 1 }

    /// Connects, or stops waiting for it when the task is cancelled: an address that nobody has answers only by its silence.
    private func connect(to address: LinkAddress) async throws -> TCPLink {
        let made = Mutex<TCPLink?>(nil)
        let (outcomes, outcome) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
        let connecting = TCPChannels.client
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let link = try TCPLink.make(on: channel)
                    made.withLock { $0 = link }
                }
            }
            .connect(host: address.host, port: address.port)
        connecting.map { _ in }.whenComplete { outcome.yield($0) }
        for await result in outcomes {
            try result.get()
            if let link = made.withLock(\.self) { return link }
            throw MigrationTransferError.linkLost
        }
        // A connection that comes all the same is nobody's.
        connecting.whenSuccess { $0.close(promise: nil) }
        throw CancellationError()
    }
}
