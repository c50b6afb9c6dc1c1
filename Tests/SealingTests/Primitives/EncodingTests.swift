import Crypto
import Kernel
import Testing

@testable import Sealing

@Suite("Encodings and hashes", .timeLimit(.minutes(4)))
struct EncodingTests {
    @Test("lengths are LEB128, as in the CPace draft's vectors")
    func lengthValues() {
        #expect(LengthValue.encode([UInt8]()) == [0])
        #expect(LengthValue.encode("1234") == [4, 0x31, 0x32, 0x33, 0x34])
        #expect(LengthValue.encode(Array(0..<127)) == [0x7F] + Array(0..<127))
        #expect(LengthValue.encode(Array(0..<128)) == [0x80, 0x01] + Array(0..<128))
        #expect(LengthValue.encode([UInt8](repeating: 1, count: 300)).prefix(2) == [0xAC, 0x02])
        let parts = ["1234", "5", "", "6789"].map { Array($0.utf8) }
        #expect(Hexadecimal.encode(LengthValue.concatenate(parts)) == "04313233340135000436373839")
    }

    // Source: draft-msporny-base58, section 5.
    @Test(
        "base58 gives the published texts and back",
        arguments: [
            ("48656c6c6f20576f726c6421", "2NEpo7TZRRrLZSi2U"),
            (
                "54686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e",
                "USm3fpXnKG5EUBx2ndxBDMPVciP5hGey2Jh4NDv6gmeo1LkMeiKrLJUUBk6Z"
            ),
            ("0000287fb4cd", "11233QC4"),
            ("", ""),
        ]
    )
    func base58(hexadecimal: String, text: String) throws {
        let bytes = try Fixture.bytes(hexadecimal)
        #expect(Base58.encode(bytes) == text)
        #expect(Base58.decode(text) == bytes)
    }

    @Test("base58 has no 0, O, I, l or anything else", arguments: ["0", "O", "I", "l", "2NEp o7", "é"])
    func notBase58(text: String) {
        #expect(Base58.decode(text) == nil)
    }

    // Source: RFC 5869, A.3: empty salt and info; RFC 4231, 4.3.
    @Test("HKDF and HMAC give the published outputs")
    func hashes() throws {
        let okm = "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
        #expect(
            Hashing.hkdfSHA256([UInt8](repeating: 0x0B, count: 22), info: [], count: 42) == (try Fixture.bytes(okm))
        )
        let message = Array("what do ya want for nothing?".utf8)
        #expect(
            Hexadecimal.encode(Hashing.hmacSHA256(key: Array("Jefe".utf8), message))
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        )
        #expect(
            Hexadecimal.encode(Hashing.hmacSHA512(key: Array("Jefe".utf8), message))
                == "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
                + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
        )
    }

    @Test("equal means equal in every byte and in length")
    func equality() {
        #expect(Hashing.areEqual([1, 2, 3], [1, 2, 3]))
        #expect(Hashing.areEqual([], []))
        #expect(!Hashing.areEqual([1, 2, 3], [1, 2, 131]))
        #expect(!Hashing.areEqual([1, 2, 3], [1, 2]))
    }

    @Test("random bytes have the length asked for and differ", arguments: [0, 1, 7, 8, 16, 33])
    func random(count: Int) {
        #expect(RandomBytes.make(count).count == count)
        if count >= 16 { #expect(RandomBytes.make(count) != RandomBytes.make(count)) }
    }

    // Source: the GCM specification of McGrew and Viega, test case 14 (256-bit key, nonce and plaintext of zeros).
    @Test("the cipher gives the published output of AES-256-GCM, and opens nothing that was changed")
    func cipher() throws {
        let cipher = NoiseCipher(key: [UInt8](repeating: 0, count: 32))
        let sealed = try cipher.seal([UInt8](repeating: 0, count: 16), nonce: 0, authenticating: [])
        #expect(Hexadecimal.encode(sealed) == "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919")
        #expect(cipher.open(sealed[...], nonce: 0, authenticating: []) == [UInt8](repeating: 0, count: 16))
        #expect(cipher.open(sealed[...], nonce: 1, authenticating: []) == nil)
        #expect(cipher.open(sealed[...], nonce: 0, authenticating: [0]) == nil)
        #expect(cipher.open(sealed.prefix(15), nonce: 0, authenticating: []) == nil)
    }

    @Test("the counter stands big-endian in the last eight bytes of the nonce")
    func nonce() throws {
        let key = [UInt8](repeating: 9, count: 32)
        let sealed = try NoiseCipher(key: key).seal([1, 2, 3], nonce: 0x0102_0304_0506_0708, authenticating: [4])
        let box = try AES.GCM.seal(
            [1, 2, 3] as [UInt8],
            using: SymmetricKey(data: key),
            nonce: AES.GCM.Nonce(data: [0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8] as [UInt8]),
            authenticating: [4] as [UInt8]
        )
        #expect(sealed == Array(box.ciphertext) + Array(box.tag))
    }

    @Test("the next key is the first 32 bytes of sealed zeros under the greatest nonce")
    func rekey() throws {
        let cipher = NoiseCipher(key: [UInt8](repeating: 3, count: 32))
        let zeros = [UInt8](repeating: 0, count: 32)
        let next = NoiseCipher(key: Array(try cipher.seal(zeros, nonce: .max, authenticating: []).prefix(32)))
        let sealed = try cipher.rekeyed().seal([5], nonce: 4, authenticating: [])
        #expect(sealed == (try next.seal([5], nonce: 4, authenticating: [])))
        #expect(cipher.open(sealed[...], nonce: 4, authenticating: []) == nil)
    }
}
