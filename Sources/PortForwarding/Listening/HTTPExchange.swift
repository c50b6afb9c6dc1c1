import Kernel
import Synchronization

/// One request of a browser and its answer, on a connection of their own. What comes behind the request's head and the answer's passes unread.
final class HTTPExchange: PortEnd {
    /// How long a browser may take to send a head. Browsers open connections ahead and may never use them.
    static let headTime = Duration.seconds(30)

    private struct State {
        /// What is sent to the computer first.
        var first: [UInt8]
        /// Bytes of the request that are still to come; nil for as many as come.
        var left: Int64?
        /// What came of the answer while its head is not whole; nil once that went out.
        var answer: [UInt8]? = []
        /// The answer has ended.
        var isAnswered = false
    }

    private let browser: PortConnection
    private let origin: PortOrigin
    private let state: Mutex<State>

    /// - Parameters:
    ///   - head: The request's, as the computer gets it.
    ///   - rest: What came behind it.
    init(_ head: HTTPHead, _ body: PortOrigin.Body, rest: [UInt8], browser: PortConnection, origin: PortOrigin) {
        self.browser = browser
        self.origin = origin
        var left: Int64?
        var rest = rest
        if case .length(let length) = body {
            rest = Array(rest.prefix(Int(clamping: length)))
            left = length - Int64(rest.count)
        }
        state = Mutex(State(first: head.bytes + rest, left: left))
    }

    /// Reads a request's head.
    ///
    /// - Returns: Also what came behind it. Nil where the browser went, or sent none.
    static func head(from browser: PortConnection) async -> (head: HTTPHead?, rest: [UInt8])? {
        var bytes: [UInt8] = []
        var known = 0
        while true {
            if let length = HTTPHead.length(in: bytes, behind: known) {
                return (HTTPHead(bytes[..<length]), Array(bytes[length...]))
            }
            guard bytes.count <= HTTPHead.limit else { return (nil, []) }
            known = bytes.count
            guard let piece = try? await browser.read() else { return nil }
            bytes += piece
        }
    }

    func read() async throws -> [UInt8]? {
        let first = state.withLock { state in
            defer { state.first = [] }
            return state.first
        }
        if !first.isEmpty { return first }
        while let bytes = try await browser.read() {
            let taken = state.withLock { state -> [UInt8] in
                guard let left = state.left else { return bytes }
                let taken = bytes.prefix(Int(clamping: left))
                state.left = left - Int64(taken.count)
                return Array(taken)
            }
            if !taken.isEmpty { return taken }
        }
        // A browser that closes does not wait for the rest: a download that somebody stopped must not go on at the computer.
        guard state.withLock({ $0.isAnswered }) else { throw PortError.ended(.closed) }
        return nil
    }

    func write(_ bytes: [UInt8]) async throws {
        let out = try state.withLock { state throws(PortError) -> [UInt8] in
            guard let begun = state.answer else { return bytes }
            var held = begun + bytes
            var out: [UInt8] = []
            var known = begun.count
            while let length = HTTPHead.length(in: held, behind: known) {
                known = 0
                guard let head = HTTPHead(held[..<length]), let status = head.status else { throw .ended(.closed) }
                held.removeFirst(length)
                // Heads before the answer's own, such as 103, come alone.
                guard status != 101, (100..<200).contains(status) else {
                    state.answer = nil
                    if status == 101 { state.left = nil }
                    return out + origin.rewritten(answer: head).bytes + held
                }
                out += head.bytes
            }
            guard held.count <= HTTPHead.limit else { throw .ended(.closed) }
            state.answer = held
            return out
        }
        if !out.isEmpty { try await browser.write(out) }
    }

    /// Whether anything of an answer came.
    var hasAnswered: Bool { state.withLock { $0.answer == nil } }

    func finish() async throws {
        let isWhole = state.withLock { state in
            state.isAnswered = true
            return state.left == 0
        }
        guard hasAnswered else { throw PortError.ended(.closed) }
        try await browser.finish()
        // Nothing more is asked on this connection, so its end is not waited for.
        if isWhole { browser.stopReading() }
    }

    /// Leaves the browser connected where it has no answer yet, so that it can be given one.
    func close(broken: Bool) {
        guard hasAnswered else { return browser.stopReading(.failure(PortError.ended(.closed))) }
        browser.close(broken: broken)
    }
}

extension PortConnection {
    /// Answers a browser itself, and ends.
    func answer(_ status: Int, _ phrase: String, _ sentence: String, fields: String = "", type: String = "text/plain")
        async
    {
        let body = Array((sentence + "\n").utf8)
        let head = """
            HTTP/1.1 \(status) \(phrase)\r
            Content-Type: \(type); charset=utf-8\r
            Content-Length: \(body.count)\r
            Cache-Control: no-store\r
            X-Content-Type-Options: nosniff\r
            Referrer-Policy: no-referrer\r
            Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r
            \(fields)Connection: close\r
            \r

            """
        // A browser that went reads no answer.
        try? await write(Array(head.utf8) + body)
        try? await finish()
    }
}
