public import Kernel
public import Transport

/// Links to one device over one signaling client: one at a time, while the client is registered and the device there.
public struct SignalLinkSource: LinkSource {
    public let kind: LinkKind
    /// The id that the other end is registered under.
    public let peer: String
    private let client: any SignalClient
    private let time: any TimeSource
    private let backoff: Backoff

    /// - Parameters:
    ///   - peer: The id under which the device registers.
    ///   - kind: The kind of the client's server: a relay, or the device itself in the same network.
    ///   - backoff: The wait between two tries while the server says that the device is away. Not short, since a relay queues each.
    public init(
        client: any SignalClient,
        peer: String,
        kind: LinkKind = .relay,
        time: any TimeSource = .system,
        backoff: Backoff = Backoff(steps: [.seconds(5), .seconds(10), .seconds(20), .seconds(30), .seconds(60)])
    ) {
        self.client = client
        self.peer = peer
        self.kind = kind
        self.time = time
        self.backoff = backoff
    }

    public func links() -> AsyncStream<any Link> {
        let (stream, continuation) = AsyncStream.makeStream(of: (any Link).self, bufferingPolicy: .bufferingNewest(1))
        // Subscribed here, so that nothing is missed between now and the task's start.
        let states = client.states()
        let feed = SingleLinkFeed(client: client, peer: peer, kind: kind, backoff: backoff, links: continuation)
        let stopObserving = client.observe { feed.receive($0) }
        let task = Task { [time] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { for await state in states { feed.changed(to: state) } }
                group.addTask {
                    for await wait in feed.retries {
                        guard await time.pause(for: wait) else { return }  // no reader is left
                        feed.retry()
                    }
                }
            }
        }
        continuation.onTermination = { _ in
            task.cancel()
            stopObserving()
            feed.finish()
        }
        return stream
    }
}
