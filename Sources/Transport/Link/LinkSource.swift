/// Keeps trying to bring up links of one kind to one peer.
public protocol LinkSource: Sendable {
    /// The kind of the links that it brings.
    var kind: LinkKind { get }

    /// Each link that comes up, one after the other. Ending the stream's reader ends the trying.
    func links() -> AsyncStream<any Link>
}
