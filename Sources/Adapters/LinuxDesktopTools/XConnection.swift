import Glibc

/// A request of the X11 protocol, lower bytes first.
struct XRequest {
    private var bytes: [UInt8]

    init(_ major: UInt8, _ minor: UInt8) { bytes = [major, minor, 0, 0] }

    func adding(_ number: some FixedWidthInteger) -> XRequest {
        var request = self
        withUnsafeBytes(of: number.littleEndian) { request.bytes += $0 }
        return request
    }

    /// A text, filled up to whole words.
    func adding(padded text: [UInt8]) -> XRequest {
        var request = self
        request.bytes += text.padded
        return request
    }

    /// With its length in words.
    var wire: [UInt8] {
        var wire = bytes
        wire[2] = UInt8(bytes.count / 4)
        return wire
    }
}

/// A connection to an X server, for a few requests in order. Calls wait for the server: they are made on a thread of their own.
final class XConnection: Sendable {
    enum Failure: Error {
        case unreachable
        case refused
        case unexpected
    }

    let number: Int32

    /// - Parameter patience: For each answer.
    init(_ display: XDisplay, patience: timeval) throws(Failure) {
        number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw .unreachable }
        var patience = patience
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(number, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: display.socket.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw .unreachable }
    }

    deinit { close(number) }

    /// Begins the conversation.
    ///
    /// - Returns: The root window of the first screen.
    func begin(_ cookie: [UInt8]?, answerLimit: Int) throws(Failure) -> UInt32 {
        let method = cookie == nil ? [] : Array("MIT-MAGIC-COOKIE-1".utf8)
        let data = cookie ?? []
        // "l": lower bytes first. Protocol 11.0.
        var hello: [UInt8] = [0x6C, 0, 11, 0, 0, 0]
        for count in [method.count, data.count, 0] { hello += [UInt8(count & 0xFF), UInt8(count >> 8 & 0xFF)] }
        try send(hello + method.padded + data.padded)
        let head = try read(8)
        guard head[0] == 1 else { throw .refused }
        let size = 4 * (Int(head[6]) | Int(head[7]) << 8)
        guard (32...answerLimit).contains(size) else { throw .unexpected }
        let body = try read(size)
        let vendor = (Int(body[16]) | Int(body[17]) << 8) + 3 & ~3
        let screen = 32 + vendor + 8 * Int(body[21])
        guard body[20] > 0, screen + 4 <= body.count else { throw .unexpected }
        return body.number(at: screen)
    }

    func send(_ request: XRequest) throws(Failure) { try send(request.wire) }

    /// Sends a request and waits for its answer; events that come before it are left out.
    ///
    /// - Returns: 32 bytes.
    func answer(to request: XRequest) throws(Failure) -> [UInt8] {
        try send(request)
        for _ in 0..<1024 {
            let answer = try read(32)
            switch answer[0] {
            case 0: throw .refused
            case 1:
                guard answer.number(at: 4) == 0 else { throw .unexpected }
                return answer
            default: continue
            }
        }
        throw .unexpected
    }

    /// What has come and was not read; empty when the server has ended the connection, nil where nothing has come.
    func waiting() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(number, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count >= 0 { return Array(buffer.prefix(count)) }
            if errno == EINTR { continue }
            return errno == EAGAIN ? nil : []
        }
    }

    private func send(_ bytes: [UInt8]) throws(Failure) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { rest in
                Glibc.send(number, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .unreachable }
            sent += count
        }
    }

    private func read(_ count: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var buffer = [UInt8](repeating: 0, count: count - bytes.count)
            let got = recv(number, &buffer, buffer.count, 0)
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { throw .unreachable }
            bytes += buffer.prefix(got)
        }
        return bytes
    }
}

extension [UInt8] {
    fileprivate var padded: [UInt8] { self + [UInt8](repeating: 0, count: (4 - count % 4) % 4) }

    /// Four bytes, the lower ones first.
    func number(at place: Int) -> UInt32 {
        self[place..<place + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
