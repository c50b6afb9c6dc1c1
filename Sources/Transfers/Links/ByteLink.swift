/// The way on which the bytes of transfers go to one peer and come from it. A transfer does not know which it is: the sealed session, or a
/// connection of its own beside it.
///
/// A part is read, or taken, on the way's own threads. Each part ends by itself: when it is through, refused, or when the way fails, after
/// which the same part may go another; a repeat changes nothing.
package protocol ByteLink: Sendable {
    /// Bytes of a part that suit this way.
    var partSize: Int { get }

    /// Sends one part of a file.
    ///
    /// - Parameters:
    ///   - count: From 1 to ``partSize``.
    ///   - read: Gives exactly so many bytes, on a thread that may block. Called once more where the part goes another way after all.
    /// - Returns: Once the peer has the bytes in its file.
    /// - Throws: ``TransferError/refused(code:reason:)``; what `read` throws; a failure of the way.
    func send(
        _ count: Int,
        at offset: Int64,
        of transfer: TransferID,
        reading read: @escaping @Sendable () throws -> [UInt8]
    ) async throws

    /// Fetches one part of a file.
    ///
    /// - Parameters:
    ///   - count: From 1 to ``partSize``.
    ///   - take: Is given the bytes and their offset, once, on a thread that may block. Not called any more once this returns.
    /// - Returns: Once `take` had exactly so many bytes.
    /// - Throws: As ``send(_:at:of:reading:)``, and what `take` throws.
    func fetch(
        _ count: Int,
        at offset: Int64,
        of transfer: TransferID,
        into take: @escaping @Sendable (ArraySlice<UInt8>, Int64) throws -> Void
    ) async throws
}
