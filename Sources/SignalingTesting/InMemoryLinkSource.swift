public import Transport

/// Brings the links that a test pushes.
public struct InMemoryLinkSource: LinkSource {
    public let kind: LinkKind
    private let stream: AsyncStream<any Link>
    private let continuation: AsyncStream<any Link>.Continuation

    public init(kind: LinkKind) {
        self.kind = kind
        (stream, continuation) = AsyncStream.makeStream(of: (any Link).self, bufferingPolicy: .bufferingOldest(64))
    }

    /// Brings a link, as if a peer had just come; up to 64 wait for their reader.
    public func push(_ link: any Link) { continuation.yield(link) }

    public func links() -> AsyncStream<any Link> { stream }
}
