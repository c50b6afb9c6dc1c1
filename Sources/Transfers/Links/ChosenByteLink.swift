import Kernel
import Synchronization

/// The connection of its own while there is one that works, and the sealed session otherwise. A part whose connection fails is sent or
/// fetched again through the session, unnoticed.
package final class ChosenByteLink: ByteLink {
    private let session: any ByteLink
    private let bulk = Mutex<(any ByteLink & AnyObject)?>(nil)

    package init(session: any ByteLink) {
        self.session = session
    }

    /// That of the session, which any part has to fit: it may change its way in the middle.
    package var partSize: Int { session.partSize }

    /// Parts that begin from now on go this way, until it fails.
    package func use(_ link: any ByteLink & AnyObject) { bulk.withLock { $0 = link } }

    /// Parts that begin from now on go through the session.
    package func useSession() { bulk.withLock { $0 = nil } }

    package func send(_ count: Int, at offset: Int64, of transfer: TransferID, from file: any ReadableFile) async throws
    {
        try await onBest { try await $0.send(count, at: offset, of: transfer, from: file) }
    }

    package func fetch(
        _ count: Int,
        at offset: Int64,
        of transfer: TransferID,
        into take: @escaping @Sendable (ArraySlice<UInt8>, Int64) throws -> Void
    ) async throws {
        try await onBest { try await $0.fetch(count, at: offset, of: transfer, into: take) }
    }

    private func onBest(_ part: (any ByteLink) async throws -> Void) async throws {
        guard let link = bulk.withLock({ $0 }) else { return try await part(session) }
        do {
            try await part(link)
        } catch is BulkError {
            // Only the link that failed is left: another may have been dialed meanwhile.
            bulk.withLock { if $0 === link { $0 = nil } }
            try Task.checkCancellation()
            try await part(session)
        }
    }
}
