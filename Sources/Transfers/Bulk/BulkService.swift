import Commands
import Kernel

/// The answering end of a bulk connection: writes what comes and sends what is wanted, until the connection ends.
package struct BulkService: Sendable {
    private let connection: BulkConnection
    private let bodies: any BulkBodies
    private let device: String

    package init(_ connection: BulkConnection, for device: String, bodies: any BulkBodies) {
        self.connection = connection
        self.device = device
        self.bodies = bodies
    }

    /// Blocks. One question is answered before the next is read, so a peer that asks and does not read is held back by its own socket.
    ///
    /// - Throws: ``BulkError`` for every end but the peer's own.
    package func run() throws {
        while true {
            var part: [UInt8] = []
            let head = try connection.receive { head, _, block in
                guard head.kind == .data else { throw BulkError.malformed("an answer where a question belongs") }
                if part.isEmpty { part.reserveCapacity(head.count) }
                part += block
            }
            switch head.kind {
            case .data: try take(part, head)
            case .want: try send(head)
            case .end: return
            case .taken, .refused: throw BulkError.malformed("an answer where a question belongs")
            }
        }
    }

    /// Whole parts are written, as frames of the session are: the checksum takes them along without reading the file again.
    private func take(_ part: [UInt8], _ head: BulkRecordHead) throws {
        guard !part.isEmpty else { return }
        do {
            try bodies.write(part[...], at: head.offset, of: head.body, by: device)
        } catch {
            return try refuse(head, error)
        }
        try connection.send(BulkRecordHead(.taken, body: head.body, offset: head.offset, count: head.count))
    }

    /// The part is read before its head goes, so that what cannot be read is refused and costs no connection.
    private func send(_ head: BulkRecordHead) throws {
        let part: ArraySlice<UInt8>
        do {
            part = try bodies.read(head.count, at: head.offset, of: head.body, by: device)
        } catch {
            return try refuse(head, error)
        }
        try connection.send(BulkRecordHead(.data, body: head.body, offset: head.offset, count: head.count)) {
            part.dropFirst($0).prefix($1)
        }
    }

    private func refuse(_ head: BulkRecordHead, _ error: any Error) throws {
        let facts = (error as? any ClassifiedError)?.facts
        let code = UInt32(bitPattern: Int32(clamping: facts?.code ?? FailureCode.internalError))
        let sentence = facts == nil ? "The computer could not do this. Try again." : String(describing: error)
        var bytes = (0..<4).map { UInt8(truncatingIfNeeded: code >> (24 - 8 * UInt32($0))) }
        bytes += sentence.utf8.prefix(BulkLimits.refusalSize.upperBound - 4)
        let refusal = BulkRecordHead(.refused, body: head.body, offset: head.offset, count: bytes.count)
        try connection.send(refusal) { place, count in bytes[place..<place + count] }
    }
}
