/// One connection between the two phones: bodies of frames, whole and in order, until it breaks. It proves nothing and hides nothing; the frames do.
public protocol MigrationLink: AnyObject, Sendable {
    /// All bytes that arrived so far, also those of a body that is not complete: a slow link with one long frame is alive.
    var bytesHeard: UInt64 { get }

    /// Sends one body, and waits while the link takes no more. Called by one task at a time.
    ///
    /// - Throws: ``MigrationTransferError/linkLost``.
    func send(_ body: [UInt8]) async throws(MigrationTransferError)

    /// The next body; nil once the peer has closed the link or ``close()`` was called. Called by one task at a time.
    ///
    /// - Throws: ``MigrationTransferError/linkLost``, ``MigrationTransferError/messageTooLarge(bytes:limit:)``.
    func receive() async throws(MigrationTransferError) -> [UInt8]?

    /// Bodies may have so many bytes from now on; before that, ``MigrationFrame/maximumBytesBeforeProof``.
    func allowBodies(ofBytes limit: Int)

    /// Ends the link and whoever waits for it. Repeats change nothing.
    func close()
}
