import NIOCore
import NIOPosix
import Synchronization

/// A link over one TCP connection. What is not taken is not read, so that a slow receiver slows the sender down.
final class TCPLink: MigrationLink {
    private let channel: any Channel
    private let inbox: TCPInbox

    private init(_ channel: any Channel, _ inbox: TCPInbox) {
        self.channel = channel
        self.inbox = inbox
    }

    /// Prepares a new channel, on its event loop.
    ///
    /// - Parameter isReady: Given the link once it is connected.
    @discardableResult
    static func make(
        on channel: any Channel,
        isReady: @escaping @Sendable (TCPLink) -> Void = { _ in }
    ) throws -> TCPLink {
        let inbox = TCPInbox()
        let link = TCPLink(channel, inbox)
        try channel.pipeline.syncOperations.addHandler(TCPHandler(inbox) { isReady(link) })
        inbox.readMore = { [weak channel] in channel?.read() }
        return link
    }

    var bytesHeard: UInt64 { inbox.bytesHeard }

    func send(_ body: [UInt8]) async throws(MigrationTransferError) {
        var buffer = channel.allocator.buffer(capacity: 4 + body.count)
        buffer.writeInteger(UInt32(body.count))
        buffer.writeBytes(body)
        do {
            try await channel.writeAndFlush(buffer)
        } catch {
            throw .linkLost
        }
    }

    func receive() async throws(MigrationTransferError) -> [UInt8]? {
        // A body that was cut short is no body: the peer sends it again on the next link.
        try await inbox.next { [channel] in channel.close(promise: nil) }
    }

    func allowBodies(ofBytes limit: Int) { inbox.allow(limit) }

    func close() {
        inbox.end(nil)
        channel.close(promise: nil)
    }
}
