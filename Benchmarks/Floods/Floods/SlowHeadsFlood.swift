/// HTTP requests whose head comes a byte a second, three of four with a method that no WebSocket begins with.
final class SlowHeadsFlood: Flood {
    private static let crowd = 750
    private static let pause = 1.0
    let unit = "requests"
    private(set) var done = 0
    private var lastDrip = 0.0

    func advance(_ crowd: Crowd, by budget: Int) throws {
        for _ in 0..<max(0, min(budget, Self.crowd - crowd.count)) {
            let method = done.isMultiple(of: 4) ? "GET" : "POST"
            let request = "\(method) /health HTTP/1.1\r\nHost: \(crowd.host)\r\nX-Slow: "
            guard try crowd.open(request: Array(request.utf8)) != nil else { return }
            done += 1
        }
        guard HalfLoad.now() - lastDrip >= Self.pause else { return }
        lastDrip = HalfLoad.now()
        crowd.forEach { stranger in
            guard !stranger.owes else { return }
            stranger.send([UInt8(ascii: "a")])
            crowd.flush(stranger)
        }
    }

    func react(_ crowd: Crowd, _ stranger: Stranger, _ event: Stranger.Event) { crowd.close(stranger) }
}
