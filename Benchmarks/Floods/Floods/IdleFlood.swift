/// Thousands of connections that never register: every second one becomes a WebSocket, the others send nothing at all. Those that
/// the server ends are opened anew.
final class IdleFlood: Flood {
    private static let crowd = 5_000
    let unit = "connections"
    private(set) var done = 0

    /// A WebSocket's buffers and its entry in the event loop.
    var memoryBound: Int { Self.room + Self.crowd * 8 * 1024 }

    func advance(_ crowd: Crowd, by budget: Int) throws {
        for _ in 0..<max(0, min(budget, Self.crowd - crowd.count)) {
            // A proxy passes on requests, not silence.
            let stranger = crowd.isProxied || done.isMultiple(of: 2) ? try crowd.open() : try crowd.open(request: [])
            guard stranger != nil else { return }
            done += 1
        }
    }

    /// docs/protocol.md: open sockets of one address.
    func figures(from crowd: Crowd, seconds: Double) -> [Figure] {
        crowd.isProxied ? [Figure("let in", Double(crowd.most), atMost: 1_024)] : []
    }

    func react(_ crowd: Crowd, _ stranger: Stranger, _ event: Stranger.Event) {
        if case .answered = event { crowd.close(stranger) }
    }
}
