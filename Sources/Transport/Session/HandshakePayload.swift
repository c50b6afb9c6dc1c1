import Foundation
import Kernel
package import Sealing

/// The payload sealed inside a handshake message. Source: `docs/protocol.md` 2.4.
package struct HandshakePayload: Hashable, Sendable {
    package enum Status: String, Hashable, Sendable {
        case accepted = "ok"
        case notPaired = "not-paired"
    }

    package var did: DID
    package var signature: [UInt8]
    package var counter: Int64
    package var epoch: Epoch
    package var acknowledged: Acknowledged
    /// In message 2 only.
    package var status: Status?
}

extension HandshakePayload {
    private struct Wire: Codable {
        struct Acknowledgement: Codable {
            var epoch: String
            var number: UInt64

            enum CodingKeys: String, CodingKey {
                case epoch = "ep"
                case number = "n"
            }
        }

        var did: DID
        var signature: String
        var counter: Int64
        var epoch: String
        var acknowledgement: Acknowledgement?
        var status: String?

        enum CodingKeys: String, CodingKey {
            case did
            case signature = "sig"
            case counter = "t"
            case epoch = "ep"
            case acknowledgement = "ack"
            case status
        }
    }

    private static let maximumBytes = 4096

    package var encoded: [UInt8] {
        get throws {
            let wire = Wire(
                did: did,
                signature: Base64URL.encode(signature),
                counter: counter,
                epoch: Base64URL.encode(epoch.bytes),
                acknowledgement: Wire.Acknowledgement(
                    epoch: Base64URL.encode(acknowledged.epoch.bytes),
                    number: acknowledged.number
                ),
                status: status?.rawValue
            )
            return Array(try JSONEncoder().encode(wire))
        }
    }

    /// - Throws: `SealingError.malformedContents`.
    package init(decoding bytes: [UInt8]) throws(SealingError) {
        guard bytes.count <= Self.maximumBytes else { throw .malformedContents("a handshake") }
        let wire: Wire
        do {
            wire = try JSONDecoder().decode(Wire.self, from: Data(bytes))
        } catch {
            throw .malformedContents("a handshake")
        }
        guard let signature = Base64URL.decode(wire.signature),
            let epoch = Base64URL.decode(wire.epoch).flatMap(Epoch.init)
        else { throw .malformedContents("a handshake") }
        did = wire.did
        self.signature = signature
        counter = wire.counter
        self.epoch = epoch
        acknowledged = .nothing
        if let acknowledgement = wire.acknowledgement {
            guard let epoch = Base64URL.decode(acknowledgement.epoch).flatMap(Epoch.init) else {
                throw .malformedContents("a handshake")
            }
            acknowledged = Acknowledged(epoch: epoch, number: acknowledgement.number)
        }
        status = wire.status.flatMap(Status.init)
    }
}
