import Foundation
import Kernel
import Principals
import Testing

@Suite("Secrets and their hashes", .timeLimit(.minutes(1)))
struct SecretTests {
    @Test("a secret is as many random bytes as were asked for, behind its prefix")
    func texts() throws {
        #expect(Base64URL.decode(Secret().text)?.count == 32)
        let code = Secret(bytes: 16, prefix: "tdb_").text
        #expect(code.hasPrefix("tdb_"))
        #expect(Base64URL.decode(code.dropFirst(4))?.count == 16)
        #expect(Set((0..<100).map { _ in Secret().text }).count == 100)
    }

    @Test("hashes are those of the versions before, so that cookies and tokens of yesterday open today")
    func hashes() {
        // sha256 of "abc" (FIPS 180-2, B.1), and printf 'link\0abc' | sha256sum.
        #expect(
            Hexadecimal.encode(SecretHash(of: "abc").bytes)
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
        #expect(
            Hexadecimal.encode(SecretHash(of: "abc", for: "link").bytes)
                == "bdec7c18597473b7e556831e708cf2335a4aaeca250bf43bae3fc629fc3734a4"
        )
        #expect(Secret().hash() != Secret().hash())
        #expect(SecretHash(kept: SecretHash(of: "abc").bytes) == SecretHash(of: "abc"))
        #expect(SecretHash(of: "abc") != SecretHash(of: "abc", for: ""))
        #expect(SecretHash(of: "abc", for: "link") != SecretHash(of: "abc", for: "cookie"))
    }
}
