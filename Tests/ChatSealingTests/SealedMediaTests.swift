import Kernel
import Testing

@testable import ChatSealing

@Suite("Sealed media", .timeLimit(.minutes(4)))
struct SealedMediaTests {
    private func file(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) } }

    @Test("a file of any length opens as it was", arguments: [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000])
    func whole(count: Int) throws {
        let sealed = try SealedMedia.seal(file(count))
        #expect(sealed.bytes.count == SealedMedia.sealedCount(of: count))
        #expect(try SealedMedia.open(sealed.bytes, key: sealed.key, hash: sealed.hash, limit: count) == file(count))
    }

    @Test("pieces of any size make the same bytes", arguments: [1000, 65_536, 65_552, 70_001])
    func pieces(size: Int) throws {
        let (plain, key) = (file(150_000), [UInt8](repeating: 9, count: 32))
        var sealer = try MediaSealer(length: plain.count, key: key)
        var sealed = sealer.header
        for start in stride(from: 0, to: plain.count, by: size) {
            sealed += try sealer.seal(plain[start..<min(start + size, plain.count)])
        }
        try sealer.finish()
        var opener = MediaOpener(key: key, limit: plain.count)
        var opened: [UInt8] = []
        for start in stride(from: 0, to: sealed.count, by: size) {
            opened += try opener.open(sealed[start..<min(start + size, sealed.count)])
        }
        try opener.finish()
        #expect(opened == plain)
        #expect(opener.length == plain.count)
    }

    @Test("a changed byte, a missing end, a byte too many or another key is found")
    func damage() throws {
        let sealed = try SealedMedia.seal(file(70_000))
        func opened(_ bytes: [UInt8], key: [UInt8]? = nil) throws -> [UInt8] {
            var opener = MediaOpener(key: key ?? sealed.key, limit: 1 << 20)
            let plain = try opener.open(bytes)
            try opener.finish()
            return plain
        }
        for index in [0, 8, 11, 16, 23, 24, 31, 32, 63] {
            var changed = sealed.bytes
            changed[index] ^= 1
            #expect(throws: ChatSealingError.self) { try opened(changed) }
        }
        for index in [64, 65_000, 65_616, 70_095] {
            var changed = sealed.bytes
            changed[index] ^= 1
            #expect(throws: ChatSealingError.damaged) { try opened(changed) }
            #expect(throws: ChatSealingError.otherFile) {
                try SealedMedia.open(changed, key: sealed.key, hash: sealed.hash, limit: 1 << 20)
            }
        }
        #expect(throws: ChatSealingError.wrongLength) { try opened(sealed.bytes.dropLast()) }
        #expect(throws: ChatSealingError.wrongLength) { try opened(Array(sealed.bytes.prefix(65_616))) }
        #expect(throws: ChatSealingError.wrongLength) { try opened(sealed.bytes + [0]) }
        #expect(throws: ChatSealingError.otherFile) { try opened(sealed.bytes, key: [UInt8](repeating: 1, count: 32)) }
    }

    @Test("what is larger than announced or allowed is refused before it is taken")
    func bounds() throws {
        let sealed = try SealedMedia.seal(file(1001))
        #expect(throws: ChatSealingError.tooLarge("the file", limit: 1000)) {
            try SealedMedia.open(sealed.bytes, key: sealed.key, hash: sealed.hash, limit: 1000)
        }
        var opener = MediaOpener(key: sealed.key, limit: 1000)
        #expect(throws: ChatSealingError.tooLarge("the file", limit: 1000)) { try opener.open(sealed.bytes) }
        var sealer = try MediaSealer(length: 3, key: sealed.key)
        #expect(throws: ChatSealingError.wrongLength) { try sealer.seal(file(4)) }
        let short = try MediaSealer(length: 3, key: sealed.key)
        #expect(throws: ChatSealingError.wrongLength) { try short.finish() }
    }

    @Test("what travels about a file is read back, and bounded")
    func objects() throws {
        let object = try SealedObject(
            key: [UInt8](repeating: 1, count: 32),
            hash: [UInt8](repeating: 2, count: 32),
            size: 70_000,
            type: "image/jpeg",
            preview: [1, 2, 3]
        )
        #expect(try SealedObject(object.json) == object)
        #expect(throws: ChatSealingError.tooLarge("preview", limit: 10_923)) {
            try SealedObject(object.json.adding("preview", .bytes([UInt8](repeating: 0, count: 8193))))
        }
        for changed in [
            object.json.adding("key", "AA"), object.json.adding("size", -1), object.json.adding("x", 1),
            object.json.adding("size", .integer(1 << 40)),
        ] {
            #expect { try SealedObject(changed) } throws: { error in
                if case .malformed = error as? ChatSealingError { true } else { false }
            }
        }
    }
}
