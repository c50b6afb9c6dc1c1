import Kernel
import Synchronization

/// The connection of its own while there is one that works, and the sealed session otherwise. A part whose connection fails is sent or
/// fetched again through the session, unnoticed.
package final class ChosenByteLink: ByteLink {
    /// The bytes that went each way, in both directions.
    package struct Moved: Hashable, Sendable {
        package var direct: Int64 = 0
        package var session: Int64 = 0

        package init() {}
    }

    private let session: any ByteLink
    private let window: ByteWindow
    private let bulk = Mutex<(any ByteLink & AnyObject)?>(nil)
    private let counts = Mutex(Moved())

    /// - Parameter window: Bounds the bytes under way through the session, with whatever else goes there.
    package init(session: any ByteLink, window: ByteWindow = ByteWindow(size: TransferFrame.window)) {
        self.session = session
        self.window = window
    }

    /// That of the session, which any part has to fit: it may change its way in the middle.
    package var partSize: Int { session.partSize }
    package var moved: Moved { counts.withLock { $0 } }

    /// Parts that begin from now on go this way, until it fails.
    package func use(_ link: any ByteLink & AnyObject) { bulk.withLock { $0 = link } }

    /// Parts that begin from now on go through the session, unless another connection was opened meanwhile.
    package func leave(_ link: any ByteLink & AnyObject) { bulk.withLock { if $0 === link { $0 = nil } } }

    package func send(
        _ count: Int,
        at offset: Int64,
        of transfer: TransferID,
        reading read: @escaping @Sendable () throws -> [UInt8]
    ) async throws {
        try await onBest(count) { try await $0.send(count, at: offset, of: transfer, reading: read) }
    }

    package func fetch(
        _ count: Int,
        at offset: Int64,
        of transfer: TransferID,
        into take: @escaping @Sendable (ArraySlice<UInt8>, Int64) throws -> Void
    ) async throws {
        try await onBest(count) { try await $0.fetch(count, at: offset, of: transfer, into: take) }
    }

    private func onBest(_ count: Int, _ part: (any ByteLink) async throws -> Void) async throws {
        if let link = bulk.withLock({ $0 }) {
            do {
                try await part(link)
                return counts.withLock { $0.direct += Int64(count) }
            } catch is BulkError {
                leave(link)
                try Task.checkCancellation()
            }
        }
        try await window.with(count) { try await part(session) }
        counts.withLock { $0.session += Int64(count) }
    }
}
