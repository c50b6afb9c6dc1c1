import CBenchmarkIO
import Glibc

/// The strangers of one flood, served on this thread.
final class Crowd {
    let port: UInt16
    /// The HTTP `Host` of the server.
    let host: String
    let sources: Sources
    let isProxied: Bool
    private let poller: Int32
    private var strangers: [Int: Stranger] = [:]
    private var watchesRoom: Set<Int> = []
    private var webSockets = 0
    private var nextNumber = 0
    private var events = [benchmark_event](repeating: benchmark_event(), count: 256)
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
    /// Connections that the system refused.
    private(set) var refused = 0
    private(set) var opened = 0

    /// The most that were open at one time, by the crowd's own account.
    private(set) var most = 0

    /// - Parameter isProxied: Whether each says, like a proxy that the server trusts, that it speaks for somebody elsewhere.
    init(port: UInt16, sources: Sources, isProxied: Bool = false) throws(FloodError) {
        self.port = port
        self.sources = sources
        self.isProxied = isProxied
        host = "127.0.0.1:\(port)"
        poller = benchmark_poller()
        guard poller >= 0 else { throw .system("epoll_create1") }
    }

    deinit {
        Glibc.close(poller)
        buffer.deallocate()
    }

    var count: Int { strangers.count }

    /// One more stranger, on the way to a WebSocket; nil when the server's queue is full.
    func open() throws(FloodError) -> Stranger? {
        let forwarded = isProxied ? "X-Forwarded-For: \(sources.elsewhere(nextNumber))\r\n" : ""
        return try open(request: WireFrame.upgrade(host: host, headers: forwarded))
    }

    /// One more stranger that sends something of its own first, or nothing.
    func open(request: [UInt8]) throws(FloodError) -> Stranger? {
        let number = nextNumber
        let stranger: Stranger
        do throws(FloodError) {
            stranger = try Stranger(
                number: number,
                source: sources.address(number),
                port: port,
                request: request
            )
        } catch {
            refused += 1
            return nil
        }
        nextNumber += 1
        opened += 1
        guard benchmark_watch(poller, stranger.socket, UInt64(number), 1, 1) == 0 else { throw .system("epoll_ctl") }
        strangers[number] = stranger
        watchesRoom.insert(number)
        return stranger
    }

    func close(_ stranger: Stranger) {
        guard strangers.removeValue(forKey: stranger.number) != nil else { return }
        if stranger.stage == .open { webSockets -= 1 }
        watchesRoom.remove(stranger.number)
        _ = benchmark_unwatch(poller, stranger.socket)
        stranger.close()
    }

    func closeAll() {
        for stranger in strangers.values { close(stranger) }
    }

    func flush(_ stranger: Stranger) {
        guard strangers[stranger.number] != nil else { return }
        guard stranger.flush() else { return close(stranger) }
        guard stranger.owes != watchesRoom.contains(stranger.number) else { return }
        if stranger.owes { watchesRoom.insert(stranger.number) } else { watchesRoom.remove(stranger.number) }
        _ = benchmark_watch(poller, stranger.socket, UInt64(stranger.number), stranger.owes ? 1 : 0, 0)
    }

    /// A WebSocket was opened.
    private func note() {
        webSockets += 1
        most = max(most, webSockets)
    }

    func forEach(_ body: (Stranger) -> Void) {
        for stranger in Array(strangers.values) { body(stranger) }
    }

    /// Handles what is there, waiting for it at most that long.
    func turn(waitingMilliseconds: Int32, _ report: (Stranger, Stranger.Event) throws -> Void) throws {
        let count = events.withUnsafeMutableBufferPointer {
            benchmark_wait(poller, $0.baseAddress, Int32($0.count), waitingMilliseconds)
        }
        guard count >= 0 else { throw FloodError.system("epoll_wait") }
        for event in events.prefix(Int(count)) {
            guard let stranger = strangers[Int(event.token)] else { continue }
            if event.can_write != 0 { flush(stranger) }
            guard event.can_read != 0, stranger.stage != .closed else { continue }
            try stranger.receive(into: buffer) { event in
                if case .opened = event { note() }
                if case .closed = event { close(stranger) }
                try report(stranger, event)
            }
            if stranger.owes { flush(stranger) }
        }
    }
}

/// The addresses of 127.0.0.0/8 that strangers come from, in turn.
enum Sources: Hashable {
    case one
    case many(Int)
    /// Of somebody who means well.
    case witness

    func address(_ number: Int) -> UInt32 {
        switch self {
        case .one: 0x7f01_0001
        case .many(let count): 0x7f02_0001 + UInt32(number % count)
        case .witness: 0x7f03_0001
        }
    }

    /// The same of 198.18.0.0/15, which no network uses.
    func elsewhere(_ number: Int) -> String {
        let host = address(number) & 0xffff
        return "198.18.\(host >> 8).\(host & 0xff)"
    }

    var count: Int {
        switch self {
        case .one, .witness: 1
        case .many(let count): count
        }
    }
}
