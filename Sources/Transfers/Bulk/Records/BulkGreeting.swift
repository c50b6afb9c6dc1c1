/// The first bytes that each end of a bulk connection says. Source: `docs/protocol.md` 2.12.2.
package struct BulkGreeting: Hashable, Sendable {
    /// No byte that begins HTTP, TLS or the head of a proxy; then `TB` and the version.
    package static let mark: [UInt8] = [0xF5, 0x54, 0x42, 0x01]
    package static let size = mark.count + BulkTicket.idSize + 32

    package let ticketID: [UInt8]
    package let token: [UInt8]

    package init(_ ticket: BulkTicket, _ keys: BulkKeys, from role: BulkRole) {
        ticketID = ticket.id
        token = keys.token(of: role)
    }

    /// - Throws: ``BulkError/unknownToken`` for anything that is no greeting of this version.
    package init(bytes: [UInt8]) throws(BulkError) {
        guard bytes.count == Self.size, bytes.starts(with: Self.mark) else { throw .unknownToken }
        ticketID = Array(bytes[Self.mark.count..<Self.mark.count + BulkTicket.idSize])
        token = Array(bytes.suffix(32))
    }

    package var bytes: [UInt8] { Self.mark + ticketID + token }

    /// Whether the other end's token is this one, compared in a time that does not depend on the bytes.
    package func proves(_ keys: BulkKeys, role: BulkRole) -> Bool {
        zip(token, keys.token(of: role)).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
