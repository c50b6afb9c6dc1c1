/// The answer of the listening side to a device that asked for a bulk connection. Source: `docs/protocol.md` 2.12.1.
package struct BulkOffer: Hashable, Sendable {
    package static let sessionSize = 16
    /// Bytes in a frame: the ticket's id and salt, the port and the session's id.
    package static let size = BulkTicket.idSize + BulkTicket.saltSize + 2 + sessionSize

    package let ticket: BulkTicket
    /// The listener's TCP port, 1 to 65,535.
    package let port: UInt16
    /// The id of the session whose secret makes the keys, 16 bytes: a dialer that has begun another meanwhile asks again.
    package let session: [UInt8]

    package init(ticket: BulkTicket, port: UInt16, session: [UInt8]) {
        self.ticket = ticket
        self.port = port
        self.session = session
    }

    /// Nil unless these are exactly an offer's bytes.
    package init?(bytes: ArraySlice<UInt8>) {
        guard bytes.count == Self.size else { return nil }
        let id = Array(bytes.prefix(BulkTicket.idSize))
        let salt = Array(bytes.dropFirst(BulkTicket.idSize).prefix(BulkTicket.saltSize))
        let rest = Array(bytes.dropFirst(BulkTicket.idSize + BulkTicket.saltSize))
        let port = UInt16(rest[0]) << 8 | UInt16(rest[1])
        guard let ticket = BulkTicket(id: id, salt: salt), port > 0 else { return nil }
        self.init(ticket: ticket, port: port, session: Array(rest.dropFirst(2)))
    }

    package var bytes: [UInt8] {
        ticket.id + ticket.salt + [UInt8(port >> 8), UInt8(truncatingIfNeeded: port)] + session
    }
}
