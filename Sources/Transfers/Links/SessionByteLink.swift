package import Kernel

/// Today's way: frames in the sealed session, over whatever path that has.
package struct SessionByteLink: ByteLink {
    private let exchange: FrameExchange
    private let work: BlockingWork

    /// - Parameter work: The threads on which files are read and written.
    package init(_ exchange: FrameExchange, work: BlockingWork) {
        self.exchange = exchange
        self.work = work
    }

    package var partSize: Int { TransferFrame.dataLimit }

    package func send(
        _ count: Int,
        at offset: Int64,
        of transfer: TransferID,
        reading read: @escaping @Sendable () throws -> [UInt8]
    ) async throws {
        let bytes = try await work.run(read)
        let frame = TransferFrame(transfer: transfer, offset: offset, content: .data(bytes[...]))
        guard case .taken(count) = try await exchange.answer(to: frame) else {
            throw TransferError.malformedAnswer(method: "a file's frame")
        }
    }

    package func fetch(
        _ count: Int,
        at offset: Int64,
        of transfer: TransferID,
        into take: @escaping @Sendable (ArraySlice<UInt8>, Int64) throws -> Void
    ) async throws {
        let frame = TransferFrame(transfer: transfer, offset: offset, content: .want(count: count))
        guard case .data(let bytes) = try await exchange.answer(to: frame), bytes.count == count else {
            throw TransferError.malformedAnswer(method: "a file's frame")
        }
        try await work.finish { try take(bytes, offset) }
    }
}
