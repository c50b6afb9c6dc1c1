public import Foundation
public import Kernel
public import Sealing

/// The QR code that a computer shows. Source: `docs/protocol.md`, "The code".
public struct DesktopPairingQR: Hashable, Sendable {
    /// The value of `type`.
    public static let type = "desktop-pairing"

    /// The six digits.
    public let code: PairingCode
    /// The id that the computer is registered under.
    public let pcPeerID: String
    /// The computer's description of itself; the name is cut to 24 bytes in codes of ours.
    public let deviceInfo: PairingDeviceInfo
    /// When the code was made, by the computer's clock.
    public let createdAt: Date
    /// Set where the code is too old, or from the future, by this device's clock: it is over, or the two clocks differ. Always nil
    /// for a code without an offer, which is refused instead.
    public let ageDoubt: PairingError?
    /// The computer's own signaling server, as in the code; checked before use, see ``SignalingAddress``.
    public let signalingURL: String?
    /// The computer's hub, as in the code; checked before use.
    public let relayURL: String?
    /// The JSON array of ICE servers, as it came.
    public let iceServers: [JSONValue]?
    /// When the ICE servers expire, in seconds since 1970; 0 when not given.
    public let iceExpirySeconds: Int64
    /// The offer to pair end to end; nil from a computer that cannot seal.
    public let offer: QROffer?
    /// The whole code, including fields of later versions, because both sides hash it.
    public let json: JSONValue

    /// The text of the QR code.
    public var text: String { json.canonicalText }
    /// Five minutes after ``createdAt``.
    public var expiresAt: Date { createdAt.addingTimeInterval(300) }

    /// - Parameter text: The text that the camera read: the code as JSON, or as a link.
    /// - Throws: ``PairingError`` for the first thing that is wrong, in the documented order: no JSON object of the
    ///   right type, no six digits, no computer id; without an offer also: older than five minutes, more than five minutes ahead.
    public init(scanned text: String, now: Date) throws(PairingError) {
        json = try ScannedText.object(in: text, type: Self.type)
        code = try PairingCode(json["code"]?.stringValue ?? "")
        guard let id = json["pcPeerId"]?.stringValue, !id.isEmpty, PeerText.isIdentifier(id) else {
            throw .missingDesktopID
        }
        pcPeerID = id
        (createdAt, ageDoubt) = try ScannedText.age(in: json, now: now)
        deviceInfo = ScannedText.deviceInfo(in: json)
        signalingURL = json["signalingUrl"]?.stringValue
        relayURL = json["relayUrl"]?.stringValue
        iceServers = json["iceServers"]?.arrayValue
        iceExpirySeconds = json["iceExpiry"]?.liberalInteger ?? 0
        offer = try ScannedText.offer(in: json)
    }

    /// The largest number of bytes of a name in a code, enough to recognise the computer. The whole name comes with the handshake.
    public static let nameBytes = 24

    /// Makes the code that this computer shows, small enough for a camera and a terminal: ICE servers are pushed later, and the
    /// version and the whole name come with the handshake, where no relay or stranger can change them.
    ///
    /// - Parameter nameBytes: The most bytes of the name in the code.
    public init(
        code: PairingCode,
        pcPeerID: String,
        deviceInfo: PairingDeviceInfo,
        createdAt: Date,
        signalingURL: URL?,
        relayURL: URL?,
        offer: QROffer?,
        nameBytes: Int = Self.nameBytes
    ) throws {
        self.code = code
        self.pcPeerID = pcPeerID
        let shortInfo = PairingDeviceInfo(
            name: PeerText.shortened(deviceInfo.name, toBytes: nameBytes),
            platform: deviceInfo.platform
        )
        self.deviceInfo = shortInfo
        ageDoubt = nil
        self.createdAt = Date(millisecondsSince1970: createdAt.millisecondsSince1970)
        self.signalingURL = signalingURL?.absoluteString
        self.relayURL = relayURL?.absoluteString
        iceServers = nil
        iceExpirySeconds = 0
        self.offer = offer
        var members: [String: JSONValue] = [
            "type": .string(Self.type),
            "code": .string(code.digits),
            "pcPeerId": .string(pcPeerID),
            "deviceInfo": try JSONValue(encoding: shortInfo),
            "timestamp": .integer(createdAt.millisecondsSince1970),
            // The documents require the member, with null where there is no address.
            "signalingUrl": signalingURL.map { .string($0.absoluteString) } ?? .null,
        ]
        if let relayURL { members["relayUrl"] = .string(relayURL.absoluteString) }
        if let offer { members["e2e"] = try JSONValue(encoding: offer) }
        json = .object(members)
    }
}
