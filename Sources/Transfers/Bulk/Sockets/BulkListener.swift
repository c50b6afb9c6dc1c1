import Kernel
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The port on which bulk connections arrive. Two threads and a few for what arrives; nothing is allocated for a stranger beyond a greeting.
package final class BulkListener: Sendable {
    /// Connections that may be in their greetings at a time; one more is closed unheard.
    private static let greetingsAtATime = 8
    /// How soon ``end()`` is noticed: a shut-down socket wakes `accept` on Linux only.
    private static let look = Duration.milliseconds(250)

    /// The port, chosen by the system where 0 was asked for.
    package let port: UInt16
    private let number: Int32
    private let tickets: BulkTickets
    private let bodies: any BulkBodies
    private let accepting = BlockingWork("tandem.bulk.in", width: 1)
    private let serving: BlockingWork
    private let greetings = Mutex(0)
    private let isEnded = Mutex(false)

    /// Listens on all addresses of this device, IPv6 and IPv4, and serves whoever has a ticket.
    ///
    /// - Parameter port: 0: one that is free.
    /// - Throws: ``BulkError/unreachable(reason:)``.
    package init(port: UInt16 = 0, tickets: BulkTickets, bodies: any BulkBodies, width: Int = 32) throws(BulkError) {
        let (number, port) = try Self.listen(port)
        self.number = number
        self.port = port
        self.tickets = tickets
        self.bodies = bodies
        serving = BlockingWork("tandem.bulk", width: width, urgency: .bulk)
        accepting.perform { [self] in accept() }
    }

    deinit { close(number) }

    /// Accepts nothing more. Connections that are open end with their tickets (``BulkTickets/revoke(_:)``) or by themselves.
    package func end() { isEnded.withLock { $0 = true } }

    private static func listen(_ port: UInt16) throws(BulkError) -> (Int32, UInt16) {
        #if canImport(Glibc)
            let number = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let number = socket(AF_INET6, SOCK_STREAM, 0)
        #endif
        guard number >= 0 else { throw .unreachable(reason: String(cString: strerror(errno))) }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
        var off: Int32 = 0
        _ = setsockopt(number, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &off, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { place in
            place.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
                bind(number, place, size) == 0 && Self.beginListening(number) && getsockname(number, place, &size) == 0
            }
        }
        guard isListening else {
            let reason = String(cString: strerror(errno))
            close(number)
            throw .unreachable(reason: reason)
        }
        return (number, UInt16(bigEndian: address.sin6_port))
    }

    private static func beginListening(_ number: Int32) -> Bool {
        #if canImport(Glibc)
            Glibc.listen(number, 16) == 0
        #else
            Darwin.listen(number, 16) == 0
        #endif
    }

    /// Until ``end()``. Blocks.
    private func accept() {
        while !isEnded.withLock({ $0 }) {
            var waited = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
            guard poll(&waited, 1, Int32(Self.look / .milliseconds(1))) > 0 else { continue }
            #if canImport(Glibc)
                let arrived = Glibc.accept(number, nil, nil)
            #else
                let arrived = Darwin.accept(number, nil, nil)
            #endif
            guard arrived >= 0 else { continue }
            let socket = BulkSocket(arrived)
            let hasRoom = greetings.withLock { count in
                guard count < Self.greetingsAtATime else { return false }
                count += 1
                return true
            }
            if hasRoom { serving.perform { [self] in serve(socket) } }
        }
    }

    /// Blocks. A connection's trouble is its dialer's to say; here it only ends.
    private func serve(_ socket: BulkSocket) {
        let met = try? BulkConnection.accept(socket, tickets)
        greetings.withLock { $0 -= 1 }
        guard let met else { return }
        defer {
            met.connection.end()
            tickets.end(met.admission.number)
        }
        _ = try? BulkService(met.connection, for: met.admission.device, bodies: bodies).run()
    }
}
