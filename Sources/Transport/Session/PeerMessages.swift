/// The messages of a peer, for one reader at a time. Asking for the next one says that the one before it is handled:
/// only then is a durable one taken off the sender's hands. A reader that takes its time makes the sender wait.
public struct PeerMessages: AsyncSequence, Sendable {
    public typealias Element = PeerMessage

    let connection: PeerConnection

    /// Takes the messages one after the other; asking for the next says that the last one is handled.
    public struct Iterator: AsyncIteratorProtocol {
        let connection: PeerConnection

        /// Nil once the connection is closed or the reader's task is cancelled.
        public mutating func next() async -> PeerMessage? { await connection.nextMessage() }
    }

    public func makeAsyncIterator() -> Iterator { Iterator(connection: connection) }
}
