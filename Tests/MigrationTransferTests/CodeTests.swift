import Foundation
import Kernel
import MigrationTransfer
import Sealing
import Testing

@Suite("What is typed and scanned")
struct CodeTests {
    private let key = Identity().agreementKey
    private let secret = [UInt8](0..<16)

    @Test("#4 a code is written as documented and read back, with IPv4, IPv6 and several addresses")
    func roundTrip() throws {
        let code = MigrationCode(
            publicKey: key,
            secret: secret,
            addresses: ["192.168.7.20:9010", "[fe80::1]:9010"]
        )
        #expect(code.text.hasPrefix("mystory-mig:v2?pk="))
        #expect(code.text.hasSuffix("&addr=192.168.7.20:9010&addr=[fe80::1]:9010&psk=AAECAwQFBgcICQoLDA0ODw"))
        #expect(try MigrationCode(code.text) == code)
    }

    @Test("#4 unknown keys of a code are passed over, and nothing of it is printed")
    func tolerance() throws {
        let code = MigrationCode(publicKey: key, secret: secret, addresses: [])
        let read = try MigrationCode(code.text + "&moon=full")
        #expect(read == code)
        #expect(!"\(read)".contains("AAECAw"))
        var dumped = ""
        dump(read, to: &dumped)
        #expect(!dumped.contains("AAECAw"))
    }

    @Test(
        "#4 a code of another version, without a key or secret, with two of them or with a hostile address is refused"
    )
    func refused() {
        let good = MigrationCode(publicKey: key, secret: secret, addresses: []).text
        #expect(throws: MigrationTransferError.unsupportedProtocol(theirs: 3, ours: 2)) {
            try MigrationCode(good.replacing("v2", with: "v3"))
        }
        let low = [UInt8](repeating: 0, count: 32)
        for text in [
            "", "mystory-mig:v2", "mystory-mig:vx?pk=1", "http://v2?" + good, good + "&psk=AAECAwQFBgcICQoLDA0ODw",
            good.replacing("psk=", with: "p="), good.replacing("pk=", with: "k="), good + "&addr=nowhere",
            good + "&addr=%0Aevil:80", good + "&addr=a:0", good + "&addr=a:70000", good + "&addr",
            good + String(repeating: "&addr=a:1", count: 9), good + String(repeating: "&x=1", count: 300),
            "mystory-mig:v2?pk=\(Base64URL.encode(low))&psk=AAECAwQFBgcICQoLDA0ODw",
        ] {
            #expect(throws: MigrationTransferError.malformedCode) { try MigrationCode(text) }
        }
    }

    @Test(
        "#5 a PIN is six ASCII digits, spaces aside",
        arguments: ["", "12345", "1234567", "12a456", "１２３４５６", "12345\n"]
    )
    func badPIN(text: String) {
        #expect(throws: MigrationTransferError.malformedPIN) { try MigrationPIN(text) }
    }

    @Test("#5 a PIN that was typed with spaces is read, and no PIN is printed")
    func goodPIN() throws {
        let pin = try MigrationPIN(" 482 913 ")
        #expect(pin.digits == "482913")
        var dumped = ""
        dump(pin, to: &dumped)
        #expect(!dumped.contains("482913") && !"\(pin)".contains("482913"))
        let made = Set((0..<50).map { _ in MigrationPIN().digits })
        #expect(made.count > 40)
        #expect(made.allSatisfy { $0.utf8.count == 6 })
    }

    @Test("an address is a host and a port")
    func address() throws {
        #expect(try LinkAddress("phone.local:9010").host == "phone.local")
        #expect(try LinkAddress("[::1]:1").description == "[::1]:1")
        for text in ["", ":", "a", "a:", ":1", "a:-1", "::1:80", "a b:1", "a/b:1", "[]:1", "user@host:1"] {
            #expect(throws: MigrationTransferError.badAddress(what: text)) { try LinkAddress(text) }
        }
    }

    @Test("a room at a hub is read as it is shown and as people type it, and a hostile place is refused")
    func room() throws {
        let room = RelayRoom()
        #expect(room != RelayRoom())
        #expect(try RelayRoom(room.description) == room && RelayRoom(room.text.uppercased()) == room)
        #expect(try RelayRoom("OIL23-abcde").text == "01123abcde")
        let hub = try #require(URL(string: "wss://hub.example.net"))
        let place = try RelayPlace(hub: hub, room: try RelayRoom("7kq2m-x94fd"))
        #expect(place.description == "wss://hub.example.net#7kq2m-x94fd")
        #expect(try LinkPlace(place.description) == .room(place))
        #expect(try LinkPlace("192.168.7.20:9010") == .address(LinkAddress("192.168.7.20:9010")))
        for text in [
            "wss://hub.example.net", "wss://hub.example.net#", "wss://hub.example.net#7kq2m", "wss://#7kq2mx94fd",
            "wss://hub.example.net#7kq2m-x94fu", "ws://hub.example.net#7kq2mx94fd",
            "https://hub.example.net#7kq2mx94fd",
            "wss://user:secret@hub.example.net#7kq2mx94fd", "wss://hub.example.net/?a#7kq2mx94fd",
            "wss://hub.exa mple.net#7kq2mx94fd", "wss://hub.example.net/\u{1B}[2J#7kq2mx94fd",
            "wss://hub.example.net/" + String(repeating: "a", count: 300) + "#7kq2mx94fd",
        ] {
            let error = #expect(throws: MigrationTransferError.self) { try LinkPlace(text) }
            guard case .badAddress? = error else {
                Issue.record("\(text): \(String(describing: error))")
                continue
            }
        }
    }

    @Test("#4 a code names the hub beside the addresses, under a key that earlier programs pass over, and only one hub")
    func hub() throws {
        let place = "wss://hub.example.net#7kq2m-x94fd"
        let code = MigrationCode(publicKey: key, secret: secret, addresses: ["192.168.7.20:9010", place])
        #expect(code.text.contains("&addr=192.168.7.20:9010&hub=wss://hub.example.net%237kq2m-x94fd&psk="))
        #expect(try MigrationCode(code.text) == code)
        let two = MigrationCode(publicKey: key, secret: secret, addresses: [place, "wss://b.example#7kq2m-x94fd"])
        #expect(try MigrationCode(two.text).addresses == [place])
        for hub in ["&hub=nowhere", "&hub=wss://hub.example.net", "&hub=%ff"] {
            #expect(throws: MigrationTransferError.malformedCode) {
                try MigrationCode(MigrationCode(publicKey: key, secret: secret, addresses: []).text + hub)
            }
        }
    }
}
