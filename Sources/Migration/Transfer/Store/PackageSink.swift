/// Where the received package lies on the new phone, written by ranges in any order. The transfer knows nothing of what is inside.
public protocol PackageSink: Sendable {
    /// Writes `bytes` at `offset`, in bytes from the start of the package.
    ///
    /// - Throws: ``MigrationTransferError/diskFull(neededBytes:)`` where the disk is full; every other error ends the transfer.
    func write(_ bytes: [UInt8], at offset: Int64) async throws

    /// Returns once a loss of power takes nothing away of what was written before the call.
    func synchronize() async throws

    /// Bytes that can still be written.
    func availableBytes() async throws -> Int64

    /// Gives the space of bytes back, in bytes from the start of the package: nobody reads them here any more. Where the disk cannot, nothing
    /// happens.
    func release(_ range: Range<Int64>) async throws
}

/// A sink that keeps everything.
extension PackageSink {
    public func release(_ range: Range<Int64>) async throws {}
}
