import Synchronization

/// One bulk connection after its greetings: records out and in. One thread may send while another receives.
package final class BulkConnection: Sendable {
    private let socket: BulkSocket
    private let sealer: Mutex<BulkSealer>
    private let opener: Mutex<BulkOpener>

    private init(_ socket: BulkSocket, _ keys: BulkKeys, as role: BulkRole, patience: Duration = BulkLimits.stallTime) {
        self.socket = socket
        sealer = Mutex(BulkSealer(keys.direction(from: role)))
        opener = Mutex(BulkOpener(keys.direction(from: role.other)))
        socket.setPatience(patience)
    }

    /// Says the greeting and hears the listener's. Blocks for at most three times ``BulkLimits/greetingTime``.
    ///
    /// - Parameter patience: How long nothing may move afterwards.
    /// - Throws: ``BulkError/wrongProof``; as ``BulkSocket/read(_:)``: a listener that knows no such ticket only closes.
    package static func dial(
        _ socket: BulkSocket,
        _ ticket: BulkTicket,
        _ keys: BulkKeys,
        patience: Duration = BulkLimits.stallTime
    ) throws(BulkError) -> BulkConnection {
        socket.setPatience(BulkLimits.greetingTime)
        try socket.write(BulkGreeting(ticket, keys, from: .dialer).bytes)
        let answer = try BulkGreeting(bytes: socket.read(BulkGreeting.size, within: BulkLimits.greetingTime))
        guard answer.ticketID == ticket.id, answer.proves(keys, role: .listener) else { throw .wrongProof }
        return BulkConnection(socket, keys, as: .dialer, patience: patience)
    }

    /// Hears the dialer's greeting and answers it. Blocks for at most three times ``BulkLimits/greetingTime``.
    ///
    /// - Parameter heard: Called once the dialer has said its greeting, or will not say one; before its ticket is looked at.
    /// - Throws: ``BulkError/unknownToken``, after which the socket is to be closed without a word; as ``BulkSocket/read(_:)``.
    package static func accept(
        _ socket: BulkSocket,
        _ tickets: BulkTickets,
        heard: () -> Void = {}
    ) throws(BulkError) -> (connection: BulkConnection, admission: BulkTickets.Admission) {
        let greeting = try hear(socket, heard)
        let admission = try tickets.admit(greeting, close: { socket.end() })
        do throws(BulkError) {
            try socket.write(
                BulkGreeting.mark + greeting.ticketID + admission.keys.token(of: .listener)
            )
        } catch {
            tickets.end(admission.number)
            throw error
        }
        return (BulkConnection(socket, admission.keys, as: .listener), admission)
    }

    private static func hear(_ socket: BulkSocket, _ heard: () -> Void) throws(BulkError) -> BulkGreeting {
        defer { heard() }
        socket.setPatience(BulkLimits.greetingTime)
        return try BulkGreeting(bytes: socket.read(BulkGreeting.size, within: BulkLimits.greetingTime))
    }

    /// Sends one record. Blocks; other senders wait for it.
    ///
    /// - Parameter payload: Gives the bytes from a place within the record on, so many; it may read them from a disk. Not called for
    ///   records without any.
    /// - Throws: ``BulkError``, and what `payload` throws, after which the connection is over: the record's head has gone.
    package func send(
        _ head: BulkRecordHead,
        payload: (_ place: Int, _ count: Int) throws -> ArraySlice<UInt8> = { _, _ in [] }
    ) throws {
        try sealer.withLock { sealer in
            do {
                try socket.write(sealer.seal(head))
                var place = 0
                while sealer.nextBlockSize > 0 {
                    let block = try payload(place, sealer.nextBlockSize)
                    try socket.write(sealer.seal(block: block))
                    place += block.count
                }
            } catch {
                socket.end()
                throw error
            }
        }
    }

    /// Receives one record. Blocks.
    ///
    /// - Parameter take: Is given the record's bytes block by block, each checked, with its place within the record. What it throws ends
    ///   the connection.
    /// - Throws: ``BulkError``, and what `take` throws.
    package func receive(
        _ take: (_ head: BulkRecordHead, _ place: Int, _ block: [UInt8]) throws -> Void
    ) throws -> BulkRecordHead {
        try opener.withLock { opener in
            do {
                let head = try opener.open(head: socket.read(opener.expectedSize)[...])
                var place = 0
                while opener.isWithinRecord {
                    let block = try opener.open(block: socket.read(opener.expectedSize)[...])
                    try take(head, place, block)
                    place += block.count
                }
                return head
            } catch {
                socket.end()
                throw error
            }
        }
    }

    /// Ends it at once, also within a call that blocks. From any thread.
    package func end() { socket.end() }
}
