import Foundation
import Kernel
import QRCodes
import Sealing
import Testing

@testable import Pairing

@Suite("A computer's code as a link", .timeLimit(.minutes(4)))
struct PairingLinkTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)
    private static let page = "https://hub.example.net:9001/phone/"

    private func code(
        id: String = "9f0c6a1be2d34775a1c0ffee00d15ea5",
        name: String = "studio-pc",
        platform: PairingPlatform = .linux,
        signalingURL: String? = "ws://192.168.7.20:9001",
        relayURL: String? = "wss://hub.example.net:9001"
    ) throws -> DesktopPairingQR {
        try DesktopPairingQR(
            code: PairingCode("482915"),
            pcPeerID: id,
            deviceInfo: PairingDeviceInfo(name: name, platform: platform, version: "5.0.3"),
            createdAt: Self.now,
            signalingURL: signalingURL.flatMap { URL(string: $0) },
            relayURL: relayURL.flatMap { URL(string: $0) },
            offer: QROffer(identity: Identity())
        )
    }

    private func link(_ qr: DesktopPairingQR, page: String = page) throws -> PairingLink? {
        PairingLink(qr, page: try #require(URL(string: page)))
    }

    /// The link of bytes.
    private func text(_ bytes: [UInt8]) -> String { "\(Self.page)#\(Base64URL.encode(bytes))" }

    /// The bytes of a link with the code's own addresses in their usual shapes.
    private func bytes() throws -> [UInt8] {
        let link = try #require(try link(code()))
        return try #require(Base64URL.decode(link.text.dropFirst(Self.page.count + 1)))
    }

    @Test("a link's bytes stand where the document has them")
    func layout() throws {
        let qr = try code()
        let offer = try #require(qr.offer)
        let expected: [UInt8] =
            [1, 0b0001_1110, 5] + [0x07, 0x5E, 0x63] + [0x01, 0xA0, 0xC4, 0x50, 0x6C, 0x00]
            + [0x9F, 0x0C, 0x6A, 0x1B, 0xE2, 0xD3, 0x47, 0x75, 0xA1, 0xC0, 0xFF, 0xEE, 0x00, 0xD1, 0x5E, 0xA5]
            + [9] + Array("studio-pc".utf8) + offer.agreementKey.bytes + offer.secret
            + [22] + Array("ws://192.168.7.20:9001".utf8)
        #expect(try link(qr)?.text == text(expected))
    }

    @Test("the documented link is the documented code, both ways")
    func example() throws {
        let canonical =
            #"{"code":"482915","deviceInfo":{"name":"studio-pc","platform":"linux"},"#
            + #""e2e":{"pk":"CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk","psk":"AAECAwQFBgcICQoLDA0ODw","v":1},"#
            + #""pcPeerId":"bb41ae6236f76793634da2d3d11256fd","relayUrl":"wss://hub.example","signalingUrl":null,"#
            + #""timestamp":1790000000000,"type":"desktop-pairing"}"#
        let text =
            "https://hub.example/phone/#AR0FB15jAaDEUGwAu0GuYjb3Z5NjTaLT0RJW_QlzdHVkaW8tcGMJCQkJCQkJCQkJCQkJCQkJCQkJCQkJ"
            + "CQkJCQkJCQkJCQABAgMEBQYHCAkKCwwNDg8"
        let qr = try DesktopPairingQR(scanned: text, now: Self.now)
        #expect(qr.text == canonical)
        #expect(try link(qr, page: "https://hub.example/phone/")?.text == text)
        for other in ["\(text)=", "\(text.dropLast())9", "\(text.dropLast(2))"] {
            #expect(throws: PairingError.self) { try DesktopPairingQR(scanned: other, now: Self.now) }
        }
    }

    @Test("a code comes back from its link with the same canonical form, whatever its addresses, id and platform are")
    func roundTrip() throws {
        let codes = [
            try code(), try code(signalingURL: nil), try code(relayURL: nil),
            try code(signalingURL: nil, relayURL: nil),
            try code(relayURL: "wss://other.example.net"), try code(signalingURL: "wss://hub.example.net:9001"),
            try code(id: "9F0C6A1BE2D34775A1C0FFEE00D15EA5"), try code(id: "b1d6c3a2-0000-4000-8000-00000000abcd"),
            try code(name: ""), try code(name: "Ünïcödé 🖥️"), try code(platform: .iOS), try code(platform: .android),
            try code(platform: .macOS), try code(platform: .windows), try code(platform: .other("plan9")),
            try code(platform: .other("")),
        ]
        for qr in codes {
            let text = try #require(try link(qr)).text
            let read = try DesktopPairingQR(scanned: " \(text)\n", now: Self.now)
            #expect(read.text == qr.text)
            #expect(read.offer == qr.offer)
        }
    }

    @Test("the addresses of the link's own server follow its scheme and its authority")
    func origin() throws {
        let local = try code(signalingURL: nil, relayURL: "ws://127.0.0.1:9001")
        let text = try #require(try link(local, page: "http://127.0.0.1:9001/phone/")).text
        #expect(try DesktopPairingQR(scanned: text, now: Self.now).relayURL == "ws://127.0.0.1:9001")
        let elsewhere = text.replacing("127.0.0.1:9001", with: "[::1]:8000")
        #expect(try DesktopPairingQR(scanned: elsewhere, now: Self.now).relayURL == "ws://[::1]:8000")
    }

    @Test("a code that a link cannot say has none")
    func unsayable() throws {
        let qr = try code()
        let others: [(name: String, value: JSONValue)] = [("iceServers", []), ("version", "1"), ("iceExpiry", 5)]
        for (name, value) in others {
            let read = try DesktopPairingQR(scanned: qr.json.adding(name, value).canonicalText, now: Self.now)
            #expect(try link(read) == nil)
        }
        let pages = [
            "https://hub.example.net/", "ftp://hub.example.net/phone/", "https:///phone/", "https://a@b/phone/",
        ]
        for page in pages {
            #expect(try link(qr, page: page) == nil, "\(page)")
        }
    }

    @Test("a link that was cut anywhere is damaged, and so is one with something behind its end")
    func cut() throws {
        let whole = try bytes()
        for count in 0..<whole.count {
            #expect(throws: PairingError.self) {
                try DesktopPairingQR(scanned: text(Array(whole.prefix(count))), now: Self.now)
            }
        }
        #expect(throws: PairingError.damagedCode(field: "link")) {
            try DesktopPairingQR(scanned: text(whole + [0]), now: Self.now)
        }
    }

    @Test("each field is checked")
    func refusals() throws {
        let whole = try bytes()
        func changed(_ change: (inout [UInt8]) -> Void) -> String {
            var bytes = whole
            change(&bytes)
            return text(bytes)
        }
        let name = 28
        let cases: [(String, PairingError)] = [
            (changed { $0[0] = 2 }, .codeOfNewerProgram), (changed { $0[0] = 0 }, .codeOfNewerProgram),
            (changed { $0[1] |= 0x20 }, .damagedCode(field: "shape")),
            (changed { $0[1] |= 0x80 }, .damagedCode(field: "shape")),
            (changed { $0[2] = 6 }, .damagedCode(field: "platform")),
            (changed { $0[3...5] = [0x01, 0x86, 0x9F] }, .damagedCode(field: "code")),
            (changed { $0[3...5] = [0x0F, 0x42, 0x40] }, .damagedCode(field: "code")),
            (changed { $0[name] = 0x7F }, .damagedCode(field: "name")),
            (changed { $0.replaceSubrange(name...name, with: [0x89, 0x00]) }, .damagedCode(field: "name")),
            (changed { $0.replaceSubrange(name...name, with: [0x81, 0x81, 0x00]) }, .damagedCode(field: "name")),
            (changed { $0.replaceSubrange(name...name, with: [0xFF, 0x7F]) }, .damagedCode(field: "name")),
            (changed { $0[name + 1] = 0xFF }, .damagedCode(field: "name")),
            (changed { $0[1] &= 0xEF }, .damagedCode(field: "pcPeerId")),
            // Without its length there is no room for the address that the shape announces.
            (changed { $0[1] = 0b0001_1010 }, .damagedCode(field: "relayUrl")),
            (changed { $0[1] = 0b0001_1101 }, .damagedCode(field: "link")),
            (Self.page + "#%41", .damagedCode(field: "link")), (Self.page + "#AQ=A+", .damagedCode(field: "link")),
            (Self.page + "#", .damagedCode(field: "version")), (Self.page, .notAPairingCode),
            ("https://hub.example.net/x#AQ", .notAPairingCode), ("https://#AQ", .notAPairingCode),
            (Self.page + "#" + String(repeating: "A", count: 5000), .notAPairingCode),
        ]
        for (text, error) in cases {
            #expect(throws: error, "\(text)") { try DesktopPairingQR(scanned: text, now: Self.now) }
        }
    }

    @Test("a key of low order is refused as in the JSON")
    func weakKey() throws {
        var bytes = try bytes()
        bytes.replaceSubrange(38..<70, with: repeatElement(0, count: 32))
        #expect(throws: PairingError.damagedCode(field: "e2e")) {
            try DesktopPairingQR(scanned: text(bytes), now: Self.now)
        }
    }

    @Test("a phone's place for codes takes no link")
    func otherKind() throws {
        let text = try #require(try link(code())).text
        #expect(throws: PairingError.wrongKindOfCode(found: "desktop-pairing")) {
            try DevicePairingQR(scanned: text, now: Self.now)
        }
    }

    @Test("a shown link fits a code of 33 lines, also with the longest name and addresses of IPv6")
    func size() throws {
        let names = ["studio-pc", String(repeating: "Büro ", count: 100)]
        let addresses = [nil, "ws://192.168.7.20:9001", "ws://[fd12:3456:789a:bcde:f012:3456:789a:bcde]:9001"]
        for name in names {
            for address in addresses {
                var pairing = DesktopPairing(
                    own: OwnDevice(
                        identity: Identity(),
                        deviceID: "9f0c6a1be2d34775a1c0ffee00d15ea5",
                        info: PairingDeviceInfo(name: name, platform: .linux)
                    ),
                    now: Self.now
                )
                let shown = try pairing.makeCode(
                    addresses: .init(
                        signalingURL: address.flatMap { URL(string: $0) },
                        relayURL: URL(string: "wss://hub.example.net:9001"),
                        phonePage: URL(string: Self.page)
                    ),
                    now: Self.now
                )
                let link = try #require(shown.link)
                let side = try #require(QRCapacity.side(forByteCount: link.text.utf8.count, level: .low))
                #expect(side <= 53)
                let matrix = try QRMatrix(side: side, darkModules: [Bool](repeating: false, count: side * side))
                #expect(QRTerminalRenderer(style: .coloured).lines(for: matrix) <= 33)
                #expect(try DesktopPairingQR(scanned: link.text, now: Self.now).text == shown.qrText)
                #expect(shown.qr.deviceInfo.name.utf8.count >= min(8, name.utf8.count))
            }
        }
    }

    @Test("where no server of the computer has the page, its code is the JSON alone")
    func without() throws {
        var pairing = DesktopPairing(
            own: OwnDevice(identity: Identity(), deviceID: "pc", info: PairingDeviceInfo(name: "pc", platform: .linux)),
            now: Self.now
        )
        let shown = try pairing.makeCode(
            addresses: .init(relayURL: URL(string: "wss://hub.example.net:9001")),
            now: Self.now
        )
        #expect(shown.link == nil)
    }
}
