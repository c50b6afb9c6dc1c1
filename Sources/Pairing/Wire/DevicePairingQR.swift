public import Foundation
public import Kernel
public import Sealing

/// The QR code that a phone shows. Source: `docs/protocol.md`, "The code".
public struct DevicePairingQR: Hashable, Sendable {
    /// The value of `type`.
    public static let type = "device-pairing"

    /// The six digits.
    public let code: PairingCode
    /// The phone's DID, under which it is registered.
    public let did: DID
    /// The phone's description of itself; the name is cut to 24 bytes in codes of ours.
    public let deviceInfo: PairingDeviceInfo
    /// When the code was made, by the phone's clock.
    public let createdAt: Date
    /// Set where the code is too old, or from the future, by this device's clock: it is over, or the two clocks differ. Always nil
    /// for a code without an offer, which is refused instead.
    public let ageDoubt: PairingError?
    /// The offer to pair end to end; nil from a phone that cannot seal.
    public let offer: QROffer?
    /// The whole code, including fields of later versions, because both sides hash it.
    public let json: JSONValue

    /// The text of the QR code.
    public var text: String { json.canonicalText }
    /// Five minutes after ``createdAt``.
    public var expiresAt: Date { createdAt.addingTimeInterval(300) }

    /// - Parameter text: The text that the camera read.
    /// - Throws: ``PairingError`` for the first thing that is wrong: no JSON object of the right type, a field
    ///   missing, no six digits; without an offer also: older than five minutes, more than five minutes ahead.
    public init(scanned text: String, now: Date) throws(PairingError) {
        json = try ScannedText.object(in: text, type: Self.type)
        for field in ["code", "did", "deviceInfo", "timestamp"] where json[field] == nil || json[field] == .null {
            throw .damagedCode(field: field)
        }
        code = try PairingCode(json["code"]?.stringValue ?? "")
        (createdAt, ageDoubt) = try ScannedText.age(in: json, now: now)
        guard let text = json["did"]?.stringValue, PeerText.isIdentifier(text), let did = try? DID(text) else {
            throw .damagedCode(field: "did")
        }
        self.did = did
        deviceInfo = ScannedText.deviceInfo(in: json)
        offer = try ScannedText.offer(in: json)
    }

    /// Makes the code that this phone shows.
    public init(
        code: PairingCode,
        did: DID,
        deviceInfo: PairingDeviceInfo,
        createdAt: Date,
        offer: QROffer?
    ) throws {
        self.code = code
        self.did = did
        var shortInfo = deviceInfo
        shortInfo.name = PeerText.shortened(deviceInfo.name, toBytes: DesktopPairingQR.nameBytes)
        self.deviceInfo = shortInfo
        ageDoubt = nil
        self.createdAt = Date(millisecondsSince1970: createdAt.millisecondsSince1970)
        self.offer = offer
        var members: [String: JSONValue] = [
            "type": .string(Self.type),
            "code": .string(code.digits),
            "did": .string(did.text),
            "deviceInfo": try JSONValue(encoding: shortInfo),
            "timestamp": .integer(createdAt.millisecondsSince1970),
        ]
        if let offer { members["e2e"] = try JSONValue(encoding: offer) }
        json = .object(members)
    }
}
