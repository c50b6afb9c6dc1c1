package import Kernel
import Synchronization

/// The tickets that the listening side agreed on, and the connections that were opened with them, by device. A right that is taken away
/// ends both at once. Source: `docs/protocol.md` 2.12.1.
package final class BulkTickets: Sendable {
    /// A connection that was let in.
    package struct Admission: Sendable {
        package let device: String
        package let keys: BulkKeys
        /// Names the connection here, for ``BulkTickets/end(_:)``.
        package let number: Int
    }

    private struct Issued {
        let device: String
        let keys: BulkKeys
        let expires: ContinuousClock.Instant
    }

    private struct Open {
        let device: String
        let close: @Sendable () -> Void
    }

    private struct State {
        var issued: [[UInt8]: Issued] = [:]
        var open: [Int: Open] = [:]
        var nextNumber = 1
        var isClosed = false
    }

    private let time: any TimeSource
    private let state = Mutex(State())

    package init(time: any TimeSource) {
        self.time = time
    }

    /// Connections that are open now.
    package var connectionCount: Int { state.withLock { $0.open.count } }

    /// Agrees on one connection.
    ///
    /// - Parameters:
    ///   - device: The device that asked through its sealed session.
    ///   - secret: 32 bytes, that session's `NoiseKeys.bulkSecret`.
    /// - Throws: ``BulkError/tooMany(limit:)``; ``BulkError/closed`` after ``close()``.
    package func issue(to device: String, secret: [UInt8]) throws(BulkError) -> BulkTicket {
        let ticket = BulkTicket.random()
        let now = time.now
        let issued = Issued(
            device: device,
            keys: BulkKeys(secret: secret, ticket: ticket),
            expires: now + BulkLimits.ticketLifetime
        )
        let failure = state.withLock { state -> BulkError? in
            guard !state.isClosed else { return .closed }
            state.issued = state.issued.filter { $0.value.expires > now }
            guard state.issued.values.count(where: { $0.device == device }) < BulkLimits.ticketsPerDevice else {
                return .tooMany(limit: BulkLimits.ticketsPerDevice)
            }
            state.issued[ticket.id] = issued
            return nil
        }
        if let failure { throw failure }
        return ticket
    }

    /// Lets a connection in that said a greeting. The ticket is used up, also by a wrong token: its id was read on the way.
    ///
    /// - Parameter close: Ends the connection from any thread, also within a call that blocks.
    /// - Throws: ``BulkError/unknownToken``; ``BulkError/tooMany(limit:)``.
    package func admit(_ greeting: BulkGreeting, close: @escaping @Sendable () -> Void) throws(BulkError) -> Admission {
        let now = time.now
        let result = state.withLock { state -> Result<Admission, BulkError> in
            guard let issued = state.issued.removeValue(forKey: greeting.ticketID), issued.expires > now,
                greeting.proves(issued.keys, role: .dialer)
            else { return .failure(.unknownToken) }
            guard state.open.values.count(where: { $0.device == issued.device }) < BulkLimits.connectionsPerDevice
            else { return .failure(.tooMany(limit: BulkLimits.connectionsPerDevice)) }
            guard state.open.count < BulkLimits.connections else {
                return .failure(.tooMany(limit: BulkLimits.connections))
            }
            let number = state.nextNumber
            state.nextNumber += 1
            state.open[number] = Open(device: issued.device, close: close)
            return .success(Admission(device: issued.device, keys: issued.keys, number: number))
        }
        return try result.get()
    }

    /// A connection is over.
    package func end(_ number: Int) { state.withLock { _ = $0.open.removeValue(forKey: number) } }

    /// A device lost its right, or is not paired any more: its tickets open nothing, and its connections end before this returns.
    package func revoke(_ device: String) {
        let closing = state.withLock { state in
            state.issued = state.issued.filter { $0.value.device != device }
            let closing = state.open.values.filter { $0.device == device }
            state.open = state.open.filter { $0.value.device != device }
            return closing
        }
        for connection in closing { connection.close() }
    }

    /// The listener ends: no ticket opens anything any more, none is given, and every connection ends before this returns.
    package func close() {
        let closing = state.withLock { state in
            state.isClosed = true
            state.issued = [:]
            defer { state.open = [:] }
            return Array(state.open.values)
        }
        for connection in closing { connection.close() }
    }
}
