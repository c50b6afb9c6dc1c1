import Kernel
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The port on which bulk connections arrive. A thread waits for them, a few hear greetings, and each connection that is let in has one;
/// nothing is allocated for a stranger beyond a greeting.
package final class BulkListener: Sendable {
    /// Connections that may be in their greetings at a time. One more ends the one that has been silent the longest: a dialer speaks as
    /// soon as it is connected, so whoever holds connections without a word keeps nobody out.
    private static let greetingsAtATime = 8
    /// Sockets of greetings that are held at a time, with those whose end their thread has not seen yet; one more is closed unheard.
    private static let greetingSockets = 4 * greetingsAtATime
    /// How often an end is looked for, in milliseconds. On Linux ``end()`` itself wakes the thread that waits.
    #if canImport(Glibc)
        private static let look: Int32 = -1
    #else
        private static let look: Int32 = 250
    #endif
    /// How long it waits when the system has no room for another connection, in milliseconds.
    private static let pause: Int32 = 100

    private struct Greetings {
        /// Those that may still go on, in the order they came.
        var open: [BulkSocket] = []
        /// All that have a thread, or wait for one.
        var count = 0
    }

    /// The port, chosen by the system where 0 was asked for.
    package let port: UInt16
    private let number: Int32
    private let tickets: BulkTickets
    private let bodies: any BulkBodies
    private let accepting = BlockingWork("tandem.bulk.in", width: 1)
    private let greeting = BlockingWork("tandem.bulk.hi", width: greetingsAtATime)
    private let serving = BlockingWork("tandem.bulk", width: BulkLimits.connections, urgency: .bulk)
    private let greetings = Mutex(Greetings())
    private let isEnded = Mutex(false)

    /// Serves whoever has a ticket. Blocks for a moment.
    ///
    /// - Parameters:
    ///   - address: A numeric address of this device; `0.0.0.0` for all of IPv4, `::` or `*` for all of them, IPv6 and IPv4.
    ///   - port: 0: one that is free.
    /// - Throws: ``BulkError/notListening(reason:)``.
    package init(address: String, port: UInt16 = 0, tickets: BulkTickets, bodies: any BulkBodies) throws(BulkError) {
        let (number, port) = try Self.listen(address, port)
        self.number = number
        self.port = port
        self.tickets = tickets
        self.bodies = bodies
        accepting.perform { [self] in accept() }
    }

    deinit { close(number) }

    /// Accepts nothing more. Connections that are open end with their tickets (``BulkTickets/revoke(_:)``) or by themselves.
    package func end() {
        isEnded.withLock { $0 = true }
        _ = shutdown(number, Int32(SHUT_RDWR))
    }

    private static func listen(_ address: String, _ port: UInt16) throws(BulkError) -> (Int32, UInt16) {
        // An owner who keeps IPv6 out of the server by 0.0.0.0 keeps it out here.
        guard ["::", "*"].contains(address) else { return try bind(address, port) }
        do {
            return try bind("::", port)
        } catch {
            // A machine without IPv6.
            return try bind("0.0.0.0", port)
        }
    }

    private static func bind(_ address: String, _ port: UInt16) throws(BulkError) -> (Int32, UInt16) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address, String(port), &hints, &found) == 0, let place = found?.pointee else {
            throw .notListening(reason: "\(address) is no address in numbers")
        }
        defer { freeaddrinfo(found) }
        #if canImport(Glibc)
            // Never the port of a terminal that this program starts meanwhile, which would hold it when this one has ended.
            let kind = place.ai_socktype | Int32(SOCK_CLOEXEC.rawValue)
        #else
            let kind = place.ai_socktype
        #endif
        let number = socket(place.ai_family, kind, place.ai_protocol)
        guard number >= 0 else { throw .notListening(reason: String(cString: strerror(errno))) }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
        var (on, off): (Int32, Int32) = (1, 0)
        // A chosen port is free again at once when the program is started anew.
        _ = setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        if place.ai_family == AF_INET6 {
            _ = setsockopt(number, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &off, socklen_t(MemoryLayout<Int32>.size))
        }
        guard isBound(number, place), beginListening(number), let port = boundPort(number) else {
            let reason = String(cString: strerror(errno))
            close(number)
            throw .notListening(reason: reason)
        }
        return (number, port)
    }

    private static func isBound(_ number: Int32, _ place: addrinfo) -> Bool {
        #if canImport(Glibc)
            Glibc.bind(number, place.ai_addr, place.ai_addrlen) == 0
        #else
            Darwin.bind(number, place.ai_addr, place.ai_addrlen) == 0
        #endif
    }

    private static func boundPort(_ number: Int32) -> UInt16? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { place in
            place.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getsockname(number, address, &size) == 0
            }
                // Both kinds of address have the port at the same place.
                ? place.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin_port) }
                : nil
        }
    }

    /// Connections that the system keeps until they are accepted. Where it has no room a dialer's first packet is lost, and the second comes when
    /// the dialer has given up.
    private static let backlog: Int32 = 128

    private static func beginListening(_ number: Int32) -> Bool {
        #if canImport(Glibc)
            Glibc.listen(number, backlog) == 0
        #else
            Darwin.listen(number, backlog) == 0
        #endif
    }

    /// Until ``end()``. Blocks.
    private func accept() {
        while !isEnded.withLock({ $0 }) {
            var waited = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
            guard poll(&waited, 1, Self.look) > 0, !isEnded.withLock({ $0 }) else { continue }
            #if canImport(Glibc)
                let arrived = Glibc.accept(number, nil, nil)
            #else
                let arrived = Darwin.accept(number, nil, nil)
            #endif
            guard arrived >= 0 else {
                // Whoever gave up before is no trouble; where the system lacks numbers or memory, another try at once would find the same.
                if ![EAGAIN, EWOULDBLOCK, ECONNABORTED, EINTR].contains(errno) { _ = poll(nil, 0, Self.pause) }
                continue
            }
            let socket = BulkSocket(arrived)
            if makeRoom(for: socket) { greeting.perform { [self] in greet(socket) } }
        }
    }

    /// - Returns: Whether its greeting is heard.
    private func makeRoom(for socket: BulkSocket) -> Bool {
        greetings.withLock { greetings in
            guard greetings.count < Self.greetingSockets else { return false }
            // Within the lock, so that none is ended that has been let in meanwhile.
            if greetings.open.count >= Self.greetingsAtATime { greetings.open.removeFirst().end() }
            greetings.open.append(socket)
            greetings.count += 1
            return true
        }
    }

    /// Blocks. A connection's trouble is its dialer's to say; here it only ends.
    private func greet(_ socket: BulkSocket) {
        defer { greetings.withLock { $0.count -= 1 } }
        let met = try? BulkConnection.accept(socket, tickets) { [self] in
            greetings.withLock { greetings in greetings.open.removeAll { $0 === socket } }
        }
        guard let met else { return }
        // As many are let in as there are threads.
        serving.perform { [tickets, bodies] in
            defer {
                met.connection.end()
                tickets.end(met.admission.number)
            }
            _ = try? BulkService(met.connection, for: met.admission.device, bodies: bodies).run()
        }
    }
}
