import CBenchmarkIO
import Glibc

/// One connection of somebody whom the server does not know. Never waits.
final class Stranger {
    enum Stage {
        case connecting, upgrading, open, closed
    }

    /// What arrived, in order.
    enum Event {
        case opened
        /// A whole message.
        case message(ArraySlice<UInt8>)
        /// The server ended it: the close code, or 0 where there was none.
        case closed(code: Int)
        /// HTTP instead of a WebSocket: the status line.
        case answered(String)
    }

    /// A chunk of message text, sent as often as needed.
    private static let filler = [UInt8](repeating: UInt8(ascii: " "), count: 64 * 1024)

    let socket: Int32
    /// Its number in the crowd.
    let number: Int
    private(set) var stage = Stage.connecting
    private var outgoing: [UInt8]
    private var sent = 0
    /// Bytes of message text behind what is outgoing.
    private var fillerOwed = 0
    private var received: [UInt8] = []
    /// For the flood that opened it.
    var count = 0
    var tag = 0

    /// - Parameters:
    ///   - source: The address of 127.0.0.0/8 it comes from, in host byte order.
    ///   - request: What it sends first.
    init(number: Int, source: UInt32, port: UInt16, request: [UInt8]) throws(FloodError) {
        socket = benchmark_connect(source, port)
        guard socket >= 0 else { throw .system("connect") }
        self.number = number
        outgoing = request
    }

    deinit { close() }

    func close() {
        guard stage != .closed else { return }
        stage = .closed
        _ = Glibc.close(socket)
        (outgoing, received) = ([], [])
    }

    var owes: Bool { sent < outgoing.count || fillerOwed > 0 }

    func send(_ bytes: [UInt8]) {
        if sent == outgoing.count {
            (outgoing, sent) = (bytes, 0)
        } else {
            outgoing += bytes
        }
    }

    /// Spaces behind what was sent before; nothing else may follow.
    func sendFiller(_ count: Int) { fillerOwed += count }

    /// - Returns: False when the connection is over.
    func flush() -> Bool {
        guard stage != .closed else { return false }
        if stage == .connecting { stage = .upgrading }
        while sent < outgoing.count {
            let count = outgoing.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress.map { $0 + sent }, outgoing.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return errno == EAGAIN }
            sent += count
        }
        (outgoing, sent) = ([], 0)
        while fillerOwed > 0 {
            let count = Glibc.send(socket, Self.filler, min(fillerOwed, Self.filler.count), Int32(MSG_NOSIGNAL))
            guard count > 0 else { return errno == EAGAIN }
            fillerOwed -= count
        }
        return true
    }

    /// Reads once.
    func receive(into buffer: UnsafeMutableRawBufferPointer, _ report: (Event) throws -> Void) rethrows {
        let count = recv(socket, buffer.baseAddress, buffer.count, 0)
        guard count > 0 else {
            if count < 0, errno == EAGAIN { return }
            return try report(.closed(code: 0))
        }
        received += UnsafeRawBufferPointer(rebasing: buffer[0..<count])
        if stage == .upgrading, try !readHead(report) { return }
        try readFrames(report)
    }

    /// - Returns: Whether frames follow.
    private func readHead(_ report: (Event) throws -> Void) rethrows -> Bool {
        let end = received.indices.dropLast(3).first { received[$0...].starts(with: [13, 10, 13, 10]) }
        guard let end else { return false }
        let status = String(decoding: received.prefix { $0 != 13 }, as: UTF8.self)
        received.removeFirst(end + 4)
        guard status.hasPrefix("HTTP/1.1 101") else {
            try report(.answered(status))
            return false
        }
        stage = .open
        try report(.opened)
        return stage == .open
    }

    private func readFrames(_ report: (Event) throws -> Void) rethrows {
        var next = 0
        while stage == .open, received.count - next >= 2 {
            let short = Int(received[next + 1] & 0x7f)
            let head = short < 126 ? 2 : short == 126 ? 4 : 10
            guard received.count - next >= head else { break }
            let count = short < 126 ? short : received[next + 2..<next + head].reduce(0) { $0 << 8 | Int($1) }
            guard received.count - next >= head + count else { break }
            let payload = received[next + head..<next + head + count]
            switch received[next] & 0x0f {
            case 8: return try report(.closed(code: payload.prefix(2).reduce(0) { $0 << 8 | Int($1) }))
            // In the middle of a message it would be part of its text.
            case 9: if !owes { send(WireFrame.pong(payload)) }
            case 10: break
            default: try report(.message(payload))
            }
            next += head + count
        }
        if next > 0, stage == .open { received.removeFirst(next) }
    }
}
