public import Kernel

/// A pairing message that is sent in the clear through a signaling server.
public enum PairingMessage: Hashable, Sendable {
    case ack(PairingAck)
    case confirmation(PairingConfirmation)
    case reject(PairingReject)
    case exchange(PairingExchange)
    case withdrawal(PairingWithdrawal)
    case iceConfiguration(IceConfiguration)

    private static let types: Set<String> = [
        PairingAck.type, PairingConfirmation.type, PairingReject.type, PairingExchange.type,
        PairingWithdrawal.type, IceConfiguration.type,
    ]
    /// The largest payload in bytes, as an object or as a text. The largest message is an ICE configuration; a handshake is far smaller.
    static let limit = 16 * 1024

    /// Whether `payload` belongs to pairing and to no other feature, well-formed or not.
    public static func isPairing(_ payload: JSONValue) -> Bool {
        guard let type = unwrapped(payload)["type"]?.stringValue else { return false }
        return types.contains(type)
    }

    /// Whether `payload` belongs to pairing and is small enough to be kept and read, because strangers may send pairing messages.
    static func isAcceptable(_ payload: JSONValue) -> Bool {
        isPairing(payload) && payload.fits(within: limit)
    }

    /// - Throws: ``PairingError/malformedMessage(type:)`` for another message, one not in the documented form, or one above 16 KiB.
    public init(parsing payload: JSONValue) throws(PairingError) {
        let payload = Self.unwrapped(payload)
        let type = payload["type"]?.stringValue ?? ""
        guard payload.fits(within: Self.limit) else { throw .malformedMessage(type: PeerText.name(type)) }
        do {
            switch type {
            case PairingAck.type: self = .ack(try payload.decode(as: PairingAck.self))
            case PairingConfirmation.type: self = .confirmation(try payload.decode(as: PairingConfirmation.self))
            case PairingReject.type: self = .reject(try payload.decode(as: PairingReject.self))
            case PairingExchange.type: self = .exchange(try payload.decode(as: PairingExchange.self))
            case PairingWithdrawal.type: self = .withdrawal(try payload.decode(as: PairingWithdrawal.self))
            case IceConfiguration.type: self = .iceConfiguration(try IceConfiguration(parsing: payload))
            default: throw PairingError.malformedMessage(type: PeerText.name(type))
            }
        } catch {
            throw .malformedMessage(type: PeerText.name(type))
        }
    }

    /// The payload's wire form.
    public var payload: JSONValue {
        get throws {
            switch self {
            case .ack(let ack): try JSONValue(encoding: ack)
            case .confirmation(let confirmation): try JSONValue(encoding: confirmation)
            case .reject(let reject): try JSONValue(encoding: reject)
            case .exchange(let exchange): try JSONValue(encoding: exchange)
            case .withdrawal(let withdrawal): try JSONValue(encoding: withdrawal)
            case .iceConfiguration(let configuration): try JSONValue(encoding: configuration)
            }
        }
    }

    /// The payload as an object, because some programs send it as JSON text inside a string.
    static func unwrapped(_ payload: JSONValue) -> JSONValue {
        // A text that is not JSON is no pairing message.
        payload.parsedIfText(limit: limit) ?? payload
    }
}
