/// The files that the answering end of a bulk connection reads and writes. Every call blocks, and checks anew that the transfer is this
/// device's and goes on.
package protocol BulkBodies: Sendable {
    /// Writes a whole part; a repeat changes nothing.
    ///
    /// - Throws: A ``ClassifiedError``, which refuses the part.
    func write(_ part: ArraySlice<UInt8>, at offset: Int64, of transfer: TransferID, by device: String) throws

    /// - Returns: Exactly `count` bytes.
    /// - Throws: A ``ClassifiedError``, which refuses the part.
    func read(_ count: Int, at offset: Int64, of transfer: TransferID, by device: String) throws -> ArraySlice<UInt8>
}
