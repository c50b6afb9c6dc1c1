import CBenchmarkIO
import Glibc

/// A connection of one person: bytes that came and were not read yet, and bytes that wait to be sent.
final class Line {
    let socket: Int32
    let person: Person
    private(set) var incoming: [UInt8] = []
    /// Where what was not read yet begins.
    private var start = 0
    private var outgoing: [UInt8] = []
    private var sent = 0
    var wantsWrite = false

    /// - Parameter number: Tells lines of one run apart: each thousand has a source address of its own, so that ports do not run out.
    init(port: UInt16, person: Person, number: Int) throws {
        self.person = person
        socket = benchmark_connect(0x7f00_0002 + UInt32(number / 1000), port)
        guard socket >= 0 else { throw LoadError.last("connect") }
    }

    deinit { close(socket) }

    var unread: ArraySlice<UInt8> { incoming[start...] }
    var isBehind: Bool { sent < outgoing.count }

    /// Takes that many bytes from what was not read yet.
    func take(_ count: Int) {
        start += count
        guard start > 64 << 10 || start == incoming.count else { return }
        incoming.removeFirst(start)
        start = 0
    }

    func put(_ bytes: [UInt8]) { outgoing += bytes }

    /// Sends as much as the socket takes now.
    func flush() throws {
        while isBehind {
            let count = outgoing.withUnsafeBytes { bytes in
                send(socket, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count >= 0 else {
                if errno == EAGAIN { return }
                throw LoadError.last("send")
            }
            sent += count
        }
        outgoing.removeAll(keepingCapacity: true)
        sent = 0
    }

    /// Reads what is there, once.
    func receive(into buffer: UnsafeMutableRawBufferPointer) throws {
        let count = recv(socket, buffer.baseAddress, buffer.count, 0)
        guard count != 0 else { throw LoadError.closed(person: person.id) }
        guard count > 0 else {
            if errno == EAGAIN { return }
            throw LoadError.last("recv")
        }
        incoming += buffer[..<count]
    }

    /// Sends, and waits until that text has come. What came with it is taken.
    func exchange(_ text: String, until wanted: String) throws {
        put(Array(text.utf8))
        _ = try read(through: wanted)
    }

    /// Waits for a text, and takes everything up to its end.
    func read(through wanted: String) throws -> [UInt8] {
        let pattern = Array(wanted.utf8)
        return try wait { self.unread.first(pattern).map { $0 + pattern.count - self.start } }
    }

    /// Waits for that many bytes, and takes them.
    func read(_ count: Int) throws -> [UInt8] {
        try wait { self.unread.count >= count ? count : nil }
    }

    /// - Parameter found: How many bytes of what was not read yet are wanted; nil while they are not there.
    private func wait(_ found: () -> Int?) throws -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { buffer.deallocate() }
        let end = benchmark_nanoseconds() + 20_000_000_000
        try flush()
        while true {
            if let count = found() {
                let taken = Array(unread.prefix(count))
                take(count)
                return taken
            }
            guard benchmark_nanoseconds() < end else {
                throw LoadError.notOpened(
                    person: person.id,
                    answer: String(decoding: unread.prefix(400), as: UTF8.self)
                )
            }
            var ready = pollfd(fd: socket, events: Int16(POLLIN | (isBehind ? POLLOUT : 0)), revents: 0)
            _ = poll(&ready, 1, 200)
            if ready.revents & Int16(POLLOUT) != 0 { try flush() }
            if ready.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 { try receive(into: buffer) }
        }
    }
}

extension ArraySlice<UInt8> {
    /// The index at which a pattern begins first.
    func first(_ pattern: [UInt8]) -> Int? {
        guard let head = pattern.first, count >= pattern.count else { return nil }
        let found: Int? = withUnsafeBufferPointer { bytes in
            var at = 0
            let last = bytes.count - pattern.count
            search: while at <= last {
                guard bytes[at] == head else {
                    at += 1
                    continue
                }
                for offset in 1..<pattern.count where bytes[at + offset] != pattern[offset] {
                    at += 1
                    continue search
                }
                return at
            }
            return nil
        }
        return found.map { startIndex + $0 }
    }

    /// The number that begins there.
    func number(at index: Int) -> Int? {
        var (value, at) = (0, index)
        while at < endIndex, case let digit = self[at] &- 0x30, digit < 10 {
            value = value &* 10 &+ Int(digit)
            at += 1
        }
        return at > index ? value : nil
    }
}
