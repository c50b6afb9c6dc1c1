import Foundation
import Glibc

/// A connection to a Wayland compositor that makes objects and asks things of them. Source: "The Wayland Protocol", chapter 4.
///
/// It waits only while the session is opened; later the compositor says little, and what it says is dropped.
struct WaylandConnection: ~Copyable {
    /// A failure to reach a compositor, or what it answered.
    enum Failure: Error {
        case unreachable
        /// The compositor refused, in its own words.
        case refused(String)
    }

    /// A value of a request.
    enum Argument {
        case number(UInt32)
        case signed(Int32)
        /// A number with parts of 256.
        case fixed(Double)
        case text(String)
    }

    /// An object that the compositor offers to all.
    struct Global {
        let name: UInt32
        let version: UInt32
    }

    /// The display, which every connection begins with.
    private static let display: UInt32 = 1
    /// Bytes of one message; the protocol has 16 bits for it.
    private static let messageLimit = 65_535
    /// For an answer of a compositor on this machine, in milliseconds.
    private static let patience: Int32 = 2000

    let socket: Int32
    private var last: UInt32 = 1
    private var received: [UInt8] = []

    /// - Parameters:
    ///   - display: As WAYLAND_DISPLAY says it.
    ///   - folder: As XDG_RUNTIME_DIR says it.
    /// - Throws: ``Failure/unreachable``.
    init(_ display: String, folder: String) throws(Failure) {
        let path = display.hasPrefix("/") ? display : "\(folder)/\(display)"
        guard let socket = Self.connected(to: path) else { throw .unreachable }
        self.socket = socket
    }

    deinit { close(socket) }

    /// A number for a new object.
    mutating func newID() -> UInt32 {
        last += 1
        return last
    }

    /// The objects that the compositor offers, by their interfaces, and the number of its registry.
    mutating func globals() throws(Failure) -> (registry: UInt32, globals: [String: Global]) {
        let registry = newID()
        try send(Self.display, 1, [.number(registry)])
        var found: [String: Global] = [:]
        try settle { object, code, body in
            guard object == registry, code == 0, body.count >= 12 else { return }
            let length = Int(Self.number(body, 4))
            guard length >= 1, 8 + length <= body.count else { return }
            let name = String(decoding: body[8..<(8 + length - 1)], as: UTF8.self)
            let version = 8 + (length + 3) & ~3
            guard version + 4 <= body.count else { return }
            found[name] = Global(name: Self.number(body, 0), version: Self.number(body, version))
        }
        return (registry, found)
    }

    /// Makes an object of one that is offered.
    mutating func bind(_ registry: UInt32, _ global: Global, _ interface: String) throws(Failure) -> UInt32 {
        let made = newID()
        try send(registry, 0, [.number(global.name), .text(interface), .number(1), .number(made)])
        return made
    }

    /// Waits until the compositor has done what was asked.
    ///
    /// - Parameter take: Called with each event: its object, its code and its body.
    /// - Throws: ``Failure/refused(_:)`` where it refused any of it.
    mutating func settle(_ take: (UInt32, UInt16, [UInt8]) -> Void = { _, _, _ in }) throws(Failure) {
        let callback = newID()
        try send(Self.display, 0, [.number(callback)])
        while true {
            while let (object, code, body) = nextMessage() {
                if object == callback { return }
                // The display's error: an object, a code and a text.
                if object == Self.display, code == 0, body.count >= 12 {
                    let length = Int(Self.number(body, 8))
                    let end = min(body.count, 12 + max(0, length - 1))
                    throw .refused(String(decoding: body[12..<end], as: UTF8.self))
                }
                take(object, code, body)
            }
            var wait = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, Self.patience) > 0, receive() else { throw .unreachable }
        }
    }

    /// Sends one request.
    ///
    /// - Parameter file: A descriptor that goes along; the compositor gets one of its own.
    /// - Throws: ``Failure/unreachable`` once the connection has ended.
    func send(_ object: UInt32, _ code: UInt16, _ arguments: [Argument] = [], file: Int32? = nil) throws(Failure) {
        let message = Self.message(object, code, arguments)
        guard Self.write(message, file, to: socket) else { throw .unreachable }
    }

    /// The bytes of one request, each number in this machine's order.
    static func message(_ object: UInt32, _ code: UInt16, _ arguments: [Argument]) -> [UInt8] {
        var body: [UInt8] = []
        func append(_ number: UInt32) { withUnsafeBytes(of: number) { body += $0 } }
        for argument in arguments {
            switch argument {
            case .number(let number): append(number)
            case .signed(let number): append(UInt32(bitPattern: number))
            case .fixed(let number): append(UInt32(bitPattern: Int32((number * 256).rounded())))
            case .text(let text):
                append(UInt32(text.utf8.count + 1))
                body += Array(text.utf8) + [0]
                while body.count % 4 != 0 { body.append(0) }
            }
        }
        let head = [object, UInt32(body.count + 8) << 16 | UInt32(code)]
        return head.flatMap { withUnsafeBytes(of: $0) { Array($0) } } + body
    }

    /// Waits until the compositor ends the connection, or ``shutdown(_:_:)`` does.
    static func drain(_ socket: Int32) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            if count > 0 || count < 0 && errno == EINTR { continue }
            return
        }
    }

    /// A socket with a program at the other end; nil where there is none.
    private static func connected(to path: String) -> Int32? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let made = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard made >= 0 else { return nil }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(made, $0, size) }
        }
        if status == 0 { return made }
        close(made)
        return nil
    }

    private mutating func nextMessage() -> (UInt32, UInt16, [UInt8])? {
        guard received.count >= 8 else { return nil }
        let head = Self.number(received, 4)
        let size = Int(head >> 16)
        guard size >= 8, received.count >= size else { return nil }
        let message = (Self.number(received, 0), UInt16(head & 0xFFFF), Array(received[8..<size]))
        received.removeFirst(size)
        return message
    }

    private mutating func receive() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 0, received.count + count <= 4 * Self.messageLimit else { return false }
        received += buffer[..<count]
        return true
    }

    private static func number(_ bytes: [UInt8], _ at: Int) -> UInt32 {
        bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: at, as: UInt32.self) }
    }

    /// A descriptor goes with the first byte, as the system's header and its number behind it, which Swift has no macros for.
    private static func write(_ bytes: [UInt8], _ file: Int32?, to socket: Int32) -> Bool {
        var rest = bytes[...]
        var file = file
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { bytes -> Int in
                var part = iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
                return withUnsafeMutablePointer(to: &part) { part in
                    var head = msghdr()
                    head.msg_iov = part
                    head.msg_iovlen = 1
                    guard let file else { return sendmsg(socket, &head, Int32(MSG_NOSIGNAL)) }
                    let (size, word) = (MemoryLayout<cmsghdr>.size, MemoryLayout<Int>.size)
                    let room = (MemoryLayout<Int32>.size + word - 1) / word * word
                    var control = [UInt8](repeating: 0, count: size + room)
                    return control.withUnsafeMutableBytes { control in
                        var along = cmsghdr()
                        along.cmsg_len = size + MemoryLayout<Int32>.size
                        along.cmsg_level = SOL_SOCKET
                        along.cmsg_type = Int32(SCM_RIGHTS)
                        control.storeBytes(of: along, as: cmsghdr.self)
                        control.storeBytes(of: file, toByteOffset: size, as: Int32.self)
                        head.msg_control = control.baseAddress
                        head.msg_controllen = control.count
                        return sendmsg(socket, &head, Int32(MSG_NOSIGNAL))
                    }
                }
            }
            if sent < 0, errno == EINTR { continue }
            guard sent > 0 else { return false }
            file = nil
            rest = rest.dropFirst(sent)
        }
        return true
    }
}
