import NIOCore
import NIOPosix

/// Dials the other phone in the local network, at one of its addresses after the other.
public actor TCPLinkDialer: MigrationLinks {
    public nonisolated var dials: Bool { true }
    private let addresses: [LinkAddress]
    private var next = 0

    /// - Parameter addresses: `host:port` each, the likeliest first.
    /// - Throws: ``MigrationTransferError/badAddress(what:)``, also for none.
    public init(_ addresses: [String]) throws {
        self.addresses = try addresses.map { try LinkAddress($0) }
        guard !addresses.isEmpty else { throw MigrationTransferError.badAddress(what: "") }
    }

    public func next() async throws -> any MigrationLink {
        // Each failed attempt moves on to the next address, and a link that broke is first tried where it was.
        let address = addresses[next % addresses.count]
        do {
            return try await TCPChannels.client
                .connect(host: address.host, port: address.port) { channel in
                    channel.eventLoop.makeCompletedFuture { try TCPLink.make(on: channel) }
                }
        } catch {
            next += 1
            throw MigrationTransferError.linkLost
        }
    }
}
