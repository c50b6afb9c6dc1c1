/// What the answering end of a bulk connection reads and writes. Every call blocks, and checks anew that the transfer is this device's and
/// that the device may still do it.
package protocol BulkBodies: Sendable {
    /// - Throws: A ``ClassifiedError``, which refuses the part; the rest of the record is dropped.
    func write(_ block: ArraySlice<UInt8>, at offset: Int64, of transfer: TransferID, by device: String) throws

    /// - Returns: Exactly `count` bytes.
    /// - Throws: A ``ClassifiedError``, which refuses the part.
    func read(_ count: Int, at offset: Int64, of transfer: TransferID, by device: String) throws -> ArraySlice<UInt8>
}
