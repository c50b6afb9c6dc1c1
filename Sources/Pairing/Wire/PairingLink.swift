import Foundation
import Kernel
import Sealing

/// A computer's code as the address of the page that makes a browser a phone: `https://hub.example.net/phone/#…`. What stands behind `#` is sent to
/// no server, and says the same as the JSON. Source: `docs/protocol.md` 2.3.7.
public struct PairingLink: Hashable, Sendable {
    /// The most characters of a link whose QR code has 33 lines on a terminal: those of version 9 at the level L.
    static let easyLength = 230
    static let path = "/phone/"

    /// The address to draw or to open.
    public let text: String
    /// The code that the link stands for, member for member as its maker made it: both sides hash it.
    let json: JSONValue

    /// Bytes of the code that are too many for ``easyLength``.
    var missingRoom: Int {
        let characters = text.utf8.count - Self.easyLength
        return characters > 0 ? characters * 3 / 4 + 1 : 0
    }

    /// The link of a code; nil for one that has members which no link says.
    ///
    /// - Parameter page: The page's address: a scheme, an authority and ``path``.
    init?(_ qr: DesktopPairingQR, page: URL) {
        guard let origin = Origin(page), let bytes = LinkBytes.encode(qr, from: origin) else { return nil }
        let text = "\(origin.text)\(Self.path)#\(Base64URL.encode(bytes))"
        guard let link = try? PairingLink(text), link.json == qr.json else { return nil }
        self = link
    }

    /// - Parameter text: What a camera read.
    /// - Throws: ``PairingError/notAPairingCode`` for what is no such address, ``PairingError/codeOfNewerProgram``,
    ///   ``PairingError/damagedCode(field:)`` naming the first field that is wrong.
    init(_ text: String) throws(PairingError) {
        guard text.utf8.count <= ScannedText.limit, let mark = text.firstIndex(of: "#"),
            let page = URL(string: String(text[..<mark])), let origin = Origin(page)
        else { throw .notAPairingCode }
        let fragment = text[mark...].dropFirst()
        // The one form that is written: without padding, and without bits that say nothing.
        guard let bytes = Base64URL.decode(fragment), Base64URL.encode(bytes) == fragment else {
            throw .damagedCode(field: "link")
        }
        self.text = text
        json = try LinkBytes.decode(bytes, from: origin)
    }

    /// The origin of a link, as the link writes it.
    struct Origin {
        let text: String
        /// The origin's signaling server.
        let server: String

        /// Nil for everything but the page's own address.
        init?(_ page: URL) {
            let text = page.absoluteString
            guard text.hasSuffix(PairingLink.path) else { return nil }
            let origin = text.dropLast(PairingLink.path.count)
            let schemes = [("https://", "wss://"), ("http://", "ws://")]
            guard let (scheme, signaling) = schemes.first(where: { origin.hasPrefix($0.0) }) else { return nil }
            let authority = origin.dropFirst(scheme.count)
            guard !authority.isEmpty, !authority.contains(where: { "/?#@\\".contains($0) }) else { return nil }
            self.text = String(origin)
            server = signaling + authority
        }
    }
}

/// The bytes of a link, and the code that they stand for.
private enum LinkBytes {
    private static let version: UInt8 = 1
    private static let platforms: [PairingPlatform] = [.iOS, .android, .macOS, .windows, .linux]

    /// What an address of the code is.
    private enum Shape: UInt8 {
        case absent, null, text, ofOrigin

        /// - Parameter value: The member of the code.
        init?(_ value: JSONValue?, from origin: PairingLink.Origin) {
            switch value {
            case nil: self = .absent
            case .null: self = .null
            case .string(origin.server): self = .ofOrigin
            case .string: self = .text
            default: return nil
            }
        }
    }

    /// In bytes.
    private enum Limit {
        static let identifier = 256
        static let name = 128
        static let address = 1024
    }

    /// Nil for a code that has no form as bytes.
    static func encode(_ qr: DesktopPairingQR, from origin: PairingLink.Origin) -> [UInt8]? {
        guard let offer = qr.offer, let code = Int(qr.code.digits),
            let signaling = Shape(qr.json["signalingUrl"], from: origin),
            let relay = Shape(qr.json["relayUrl"], from: origin)
        else { return nil }
        let id = Hexadecimal.decode(qr.pcPeerID).flatMap { bytes in
            bytes.count == 16 && Hexadecimal.encode(bytes) == qr.pcPeerID ? bytes : nil
        }
        let platform = platforms.firstIndex(of: qr.deviceInfo.platform).map { UInt8($0 + 1) } ?? 0
        let shapes: UInt8 = signaling.rawValue | relay.rawValue << 2 | (id == nil ? 0 : 0x10)
        var bytes = [version, shapes, platform]
        bytes += number(Int64(code), bytes: 3) + number(qr.createdAt.millisecondsSince1970, bytes: 6)
        bytes += id ?? LengthValue.encode(qr.pcPeerID)
        bytes += LengthValue.encode(qr.deviceInfo.name)
        if platform == 0 { bytes += LengthValue.encode(qr.deviceInfo.platform.rawValue) }
        bytes += offer.agreementKey.bytes + offer.secret
        if signaling == .text { bytes += LengthValue.encode(qr.signalingURL ?? "") }
        if relay == .text { bytes += LengthValue.encode(qr.relayURL ?? "") }
        return bytes
    }

    private static func number(_ value: Int64, bytes count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * Int64($0))) }
    }

    /// - Throws: ``PairingError``.
    static func decode(_ bytes: [UInt8], from origin: PairingLink.Origin) throws(PairingError) -> JSONValue {
        var reader = LinkReader(rest: bytes[...])
        guard try reader.byte("version") == version else { throw .codeOfNewerProgram }
        let shapes = try reader.byte("shape")
        guard shapes >> 5 == 0, let signaling = Shape(rawValue: shapes & 3),
            let relay = Shape(rawValue: shapes >> 2 & 3)
        else { throw .damagedCode(field: "shape") }
        let platformNumber = Int(try reader.byte("platform"))
        guard platformNumber <= platforms.count else { throw .damagedCode(field: "platform") }
        let code = try reader.number(3, "code")
        guard (100_000...999_999).contains(code) else { throw .damagedCode(field: "code") }
        let timestamp = try reader.number(6, "timestamp")
        let id: String
        if shapes & 0x10 != 0 {
            id = Hexadecimal.encode(try reader.take(16, "pcPeerId"))
        } else {
            id = try reader.text(atMost: Limit.identifier, "pcPeerId")
        }
        let name = try reader.text(atMost: Limit.name, "name")
        let platform: String
        if platformNumber == 0 {
            platform = try reader.text(atMost: Limit.identifier, "platform")
        } else {
            platform = platforms[platformNumber - 1].rawValue
        }
        let (key, secret) = (try reader.take(32, "pk"), try reader.take(16, "psk"))
        var members: [String: JSONValue] = [
            "type": .string(DesktopPairingQR.type),
            "code": .string(String(code)),
            "pcPeerId": .string(id),
            "deviceInfo": ["name": .string(name), "platform": .string(platform)],
            "timestamp": .integer(timestamp),
            "e2e": ["v": 1, "pk": .string(Base64URL.encode(key)), "psk": .string(Base64URL.encode(secret))],
        ]
        for (member, shape) in [("signalingUrl", signaling), ("relayUrl", relay)] {
            switch shape {
            case .absent: break
            case .null: members[member] = .null
            case .text: members[member] = .string(try reader.text(atMost: Limit.address, member))
            case .ofOrigin: members[member] = .string(origin.server)
            }
        }
        guard reader.rest.isEmpty else { throw .damagedCode(field: "link") }
        return .object(members)
    }
}

/// Reads the fields of a link in their order. Every length is checked before anything is made of it.
private struct LinkReader {
    var rest: ArraySlice<UInt8>

    mutating func byte(_ field: String) throws(PairingError) -> UInt8 {
        guard let byte = rest.popFirst() else { throw .damagedCode(field: field) }
        return byte
    }

    mutating func take(_ count: Int, _ field: String) throws(PairingError) -> ArraySlice<UInt8> {
        guard rest.count >= count else { throw .damagedCode(field: field) }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func number(_ count: Int, _ field: String) throws(PairingError) -> Int64 {
        try take(count, field).reduce(0) { $0 << 8 | Int64($1) }
    }

    /// A text behind its length, which is LEB128 of at most two bytes in its shortest form.
    mutating func text(atMost limit: Int, _ field: String) throws(PairingError) -> String {
        var length = Int(try byte(field))
        if length > 0x7F {
            let high = Int(try byte(field))
            guard (1...0x7F).contains(high) else { throw .damagedCode(field: field) }
            length = length & 0x7F | high << 7
        }
        guard length <= limit, let text = String(validating: try take(length, field), as: UTF8.self) else {
            throw .damagedCode(field: field)
        }
        return text
    }
}
