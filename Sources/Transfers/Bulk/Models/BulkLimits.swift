/// Bounds of bulk connections. Source: `docs/protocol.md` 2.12.
package enum BulkLimits {
    /// Bytes of a body in one record.
    package static let recordSize = 1 << 20
    /// Bytes that are sealed in one go. Half of the size from which glibc maps and unmaps memory for every block, which costs more than
    /// the cipher: sealed, copied and its tag added, a block still stays below it.
    package static let blockSize = 64 << 10
    /// Bytes that a phone may have sent or asked for without an answer in all transfers with one computer, over whatever way. Those over the
    /// session keep to ``TransferFrame/window`` as well, so no keystroke waits longer for it.
    ///
    /// A part of 512 KiB passes six hands, each with a thread of its own: it is read, sealed and written to the socket, received and opened,
    /// written or checked by the other end, answered, and made good for by the next part. With four parts under way some hands are
    /// always empty, and one that waits for a disk empties the others. Eight give each hand its part and two to spare. At 1 GB/s they are
    /// 8 ms of work, far below the time after which a connection counts as standing still; what is kept in memory for them is
    /// bounded by this.
    package static let window = 4 << 20
    /// Bytes of a refusal: a code of 4 and a sentence.
    package static let refusalSize = 4...1028
    /// Bytes of one body under one key: 2^36 blocks of AES, at which an attacker's advantage is below 2^-56. A longer body goes on over
    /// another connection.
    package static let bodySize: Int64 = 1 << 40
    /// Bodies that one connection carries in one direction.
    package static let bodies = 64
    /// How long a ticket can be used after the sealed session agreed on it.
    package static let ticketLifetime = Duration.seconds(10)
    /// Tickets that one device may hold unused.
    package static let ticketsPerDevice = 4
    /// Connections that one device may have open.
    package static let connectionsPerDevice = 8
    /// Connections of all devices together: each takes a thread.
    package static let connections = 32
    /// How long the dialing side tries before today's path is taken.
    package static let dialTime = Duration.seconds(1)
    /// How long either side waits for the other's greeting.
    package static let greetingTime = Duration.seconds(2)
    /// How long a connection may move nothing while something is asked for.
    package static let stallTime = Duration.seconds(5)
}
