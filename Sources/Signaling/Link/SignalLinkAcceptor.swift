public import Transport

/// The responder's side of links: it makes one for each device that begins a handshake through the client's server.
public struct SignalLinkAcceptor: Sendable {
    /// The kind of the links that it makes.
    public let kind: LinkKind
    private let client: any SignalClient

    public init(client: any SignalClient, kind: LinkKind = .relay) {
        self.client = client
        self.kind = kind
    }

    /// Links as they come up. Ending the stream's reader ends them all.
    public func links() -> AsyncStream<any Link> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: (any Link).self,
            bufferingPolicy: .bufferingOldest(AcceptedLinks.maximumCount)
        )
        let states = client.states()
        let accepted = AcceptedLinks(client: client, kind: kind, links: continuation)
        let stopObserving = client.observe { accepted.receive($0) }
        let task = Task { [client] in
            for await state in states where state.presence == nil {
                // The state may be read late. Links made after a new registration, or the first, belong to that registration.
                let before = accepted.mark
                guard client.state.presence == nil else { continue }
                accepted.endAll(through: before)
            }
        }
        continuation.onTermination = { _ in
            task.cancel()
            stopObserving()
            accepted.endAll()
        }
        return stream
    }
}
