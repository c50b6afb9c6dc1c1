public import Transport

/// One end of a link without a network. Links are made in pairs; faults are set on the pair's ``InMemoryCable``.
public struct InMemoryLink: Link {
    public let kind: LinkKind
    let cable: InMemoryCable
    let end: InMemoryCable.End

    /// Two connected ends, and the cable between them.
    public static func pair(
        kind: LinkKind,
        seed: UInt64 = 0
    ) -> (first: InMemoryLink, second: InMemoryLink, cable: InMemoryCable) {
        let cable = InMemoryCable(seed: seed)
        return (
            InMemoryLink(kind: kind, cable: cable, end: .first),
            InMemoryLink(kind: kind, cable: cable, end: .second),
            cable
        )
    }

    public func send(_ frame: LinkFrame) async throws { try cable.send(frame, from: end) }

    public func frames() -> AsyncStream<LinkFrame> { cable.frames(at: end) }

    public func close() async { cable.cut() }
}
