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
}
