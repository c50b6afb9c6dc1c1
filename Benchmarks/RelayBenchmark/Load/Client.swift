import CBenchmarkIO
import Glibc

/// One WebSocket client. Opened with waiting calls, one step at a time; measured without.
final class Client {
    let socket: Int32
    private var reader = ServerFrameReader()

    // What is sent is one frame over and over, so what is left to send is a number.
    private let frames: UnsafeMutableRawBufferPointer
    private let frameSize: Int
    private var position = 0
    private(set) var owed = 0

    /// - Parameters:
    ///   - frame: What this client sends, ready for the socket. Empty for one that only reads.
    ///   - atOnce: How many of them one call may send.
    ///   - receiveBytes: The kernel's buffer for this socket; nil for its default.
    init(port: UInt16, frame: [UInt8] = [], atOnce: Int = 1, receiveBytes: Int32? = nil) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        frameSize = frame.count
        frames = .allocate(byteCount: frame.count * atOnce, alignment: 1)
        for index in 0..<atOnce where !frame.isEmpty {
            UnsafeMutableRawBufferPointer(rebasing: frames[index * frame.count..<(index + 1) * frame.count])
                .copyBytes(from: frame)
        }
        guard socket >= 0 else { throw Self.failure("socket") }
        try set(IPPROTO_TCP, TCP_NODELAY, Int32(1))
        // Ending with a reset leaves no port in TIME_WAIT: rounds follow each other quickly.
        try set(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
        try set(SOL_SOCKET, SO_RCVTIMEO, timeval(tv_sec: 20, tv_usec: 0))
        if let receiveBytes { try set(SOL_SOCKET, SO_RCVBUF, receiveBytes) }
        try connect(to: port)
    }

    /// - Parameter accepted: A socket whose other end is a client too, for measuring without a server between.
    init(accepted: Int32) {
        socket = accepted
        frames = .allocate(byteCount: 0, alignment: 1)
        frameSize = 0
    }

    deinit {
        close(socket)
        frames.deallocate()
    }

    private func set<Value>(_ level: Int32, _ option: Int32, _ value: Value) throws {
        try withUnsafeBytes(of: value) { bytes in
            guard setsockopt(socket, level, option, bytes.baseAddress, socklen_t(bytes.count)) == 0 else {
                throw Self.failure("setsockopt")
            }
        }
    }

    private func set(_ level: Int, _ option: Int32, _ value: Int32) throws { try set(Int32(level), option, value) }

    private func connect(to port: UInt16) throws {
        var address = Self.loopback(port)
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Self.failure("connect") }
    }

    static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }

    static func failure(_ call: String) -> BenchmarkError {
        .system(call: call, reason: String(cString: strerror(errno)))
    }

    // MARK: Opening, one step at a time

    func askForWebSocket(port: UInt16) throws {
        let request =
            "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        try sendAll(Array(request.utf8))
    }

    func readUpgrade() throws {
        var bytes = [UInt8](repeating: 0, count: 2048)
        var count = 0
        // Looked at before it is taken, so that nothing behind the head is lost.
        while true {
            count = recv(socket, &bytes, bytes.count, Int32(MSG_PEEK))
            guard count > 0 else { throw Self.failure("recv") }
            let head = bytes.prefix(count)
            if let end = head.indices.first(where: { head[$0...].starts(with: [13, 10, 13, 10]) }) {
                _ = recv(socket, &bytes, end + 4, 0)
                let text = String(decoding: bytes.prefix(end), as: UTF8.self)
                guard text.hasPrefix("HTTP/1.1 101") else { throw BenchmarkError.notUpgraded(answer: text) }
                return
            }
        }
    }

    func register(as id: String) throws {
        try sendAll(ClientFrame.text(#"{"type":"register","peerId":"\#(id)","deviceType":"mobile"}"#))
    }

    func readRegistered() throws {
        let answer = try readText()
        guard answer.contains(#""type":"registered""#) else { throw BenchmarkError.notRegistered(answer: answer) }
    }

    /// Waits for one whole text frame.
    func readText() throws -> String {
        while true {
            let head = try readExactly(2)
            var count = Int(head[1] & 0x7f)
            if count >= 126 {
                count = try readExactly(count == 126 ? 2 : 8).reduce(0) { $0 << 8 | Int($1) }
            }
            let payload = try readExactly(count)
            if head[0] & 0x0f < 8 { return String(decoding: payload, as: UTF8.self) }
        }
    }

    private func readExactly(_ count: Int) throws -> [UInt8] {
        guard count > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        guard recv(socket, &bytes, count, Int32(MSG_WAITALL)) == count else { throw Self.failure("recv") }
        return bytes
    }

    private func sendAll(_ bytes: [UInt8]) throws {
        guard Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw Self.failure("send")
        }
    }

    // MARK: While measuring: never waits

    private static let now = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)

    /// Sends that many frames more, as far as the socket takes them.
    func send(frames count: Int) throws {
        owed += count * frameSize
        try flush()
    }

    func flush() throws {
        while owed > 0 {
            let count = min(owed, frames.count - position)
            let sent = Glibc.send(socket, frames.baseAddress.map { $0 + position }, count, Self.now)
            guard sent > 0 else {
                if errno == EAGAIN { return }
                throw Self.failure("send")
            }
            owed -= sent
            // Every frame is the same, so going back whole frames changes nothing.
            position = (position + sent) % frameSize
        }
        // Not earlier: a pong inside a frame would break it.
        for ping in reader.takePings() { try sendAll(ClientFrame.pong(ping)) }
    }

    /// Sends nothing more but the rest of a frame that has begun.
    func giveUp() { owed = position == 0 ? 0 : frameSize - position }

    /// Reads what is there, once.
    ///
    /// - Returns: How many messages ended in it, or nil when the connection has ended.
    func receive(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        let count = recv(socket, buffer.baseAddress, buffer.count, Self.now)
        guard count > 0 else {
            if count < 0, errno == EAGAIN { return 0 }
            return nil
        }
        let messages = reader.read(UnsafeRawBufferPointer(rebasing: buffer[0..<count]))
        if !reader.pings.isEmpty { try flush() }
        return reader.isClosed ? nil : messages
    }
}
