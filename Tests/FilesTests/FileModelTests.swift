import Crypto
import Glibc
import Kernel
import KernelTesting
import Synchronization
import Testing

@testable import Files
@testable import FilesHost
@testable import Transfers

@Suite("File names, paths, ranges and frames", .timeLimit(.minutes(4)))
struct FileModelTests {
    @Test("any bytes survive as text and back, and no two names share a text")
    func names() {
        var generator = SeededGenerator(seed: 7)
        var texts: [String: [UInt8]] = [:]
        for _ in 0..<5000 {
            let count = Int.random(in: 1...6, using: &generator)
            let bytes = (0..<count).map { _ in
                // Half of them around the escapes' own encoding: EE BE 80 to EE BF BF.
                generator.chance(0.5)
                    ? [0xEE, 0xBE, 0xBF, 0x80, 0xBF].randomElement(using: &generator) ?? 0
                    : UInt8.random(in: 0...255, using: &generator)
            }
            let text = FileNameText.text(bytes)
            #expect(FileNameText.bytes(text) == bytes)
            if let other = texts[text] { #expect(other == bytes) }
            texts[text] = bytes
        }
        #expect(FileNameText.text(Array("日本.txt".utf8)) == "日本.txt")
        #expect(FileNameText.text([0x61, 0xFF]) == "a\u{EFFF}")
    }

    @Test(
        "a text names a place in the longest folder that holds it",
        arguments: [
            ("", 0, ""), ("~", 0, ""), (".", 0, ""), ("./", 0, ""), ("~/x//y/", 0, "x/y"), ("x\\y", 0, "x/y"),
            ("x/..", 0, "x/.."),
            ("/home/ada", 0, ""), ("/home/ada/./x", 0, "x"), ("/home/ada/pub/z", 1, "z"),
            ("/home/ada/public", 0, "public"),
            ("\\home\\ada\\x", 0, "x"), ("~x", 0, "~x"), ("./~", 0, "~"),
        ]
    )
    func paths(text: String, root: Int, path: String) throws {
        let roots = try FileRoots(
            folders: [Array("/home/ada/".utf8), Array("/home/ada/pub".utf8)],
            home: Array("/home/ada".utf8)
        )
        #expect(try roots.location(of: text) == FileLocation(root: root, path: Array(path.utf8)))
    }

    @Test(
        "a place outside of every folder is refused",
        arguments: ["/", "/home", "/home/adam", "/etc/passwd", "/home/bo/../ada"]
    )
    func outside(text: String) throws {
        let roots = try FileRoots(folders: [Array("/home/ada".utf8)], home: Array("/home/ada".utf8))
        #expect(throws: FileError.outside(text)) { try roots.location(of: text) }
        #expect(throws: FileError.badName("a\0b")) { try roots.location(of: "a\0b") }
    }

    @Test("ranges grow together, and what is missing between them is known")
    func ranges() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<300 {
            var ranges = ByteRanges()
            var bits = [Bool](repeating: false, count: 64)
            for _ in 0..<Int.random(in: 1...12, using: &generator) {
                let start = Int.random(in: 0..<64, using: &generator)
                let end = Int.random(in: start...64, using: &generator)
                ranges.insert(Int64(start)..<Int64(end))
                for index in start..<end { bits[index] = true }
            }
            #expect(ranges.count == Int64(bits.count(where: { $0 })))
            let missing = ranges.missing(in: 0..<64).flatMap { $0.map { Int($0) } }
            #expect(missing == bits.indices.filter { !bits[$0] })
            for start in 0..<64 { #expect(ranges.contains(Int64(start)..<Int64(start + 1)) == bits[start]) }
            #expect(ranges.end == Int64(bits.firstIndex(of: false) ?? 64))
        }
    }

    @Test("a frame is what it says, byte for byte, and anything else is none")
    func frames() throws {
        let id = try #require(TransferID(Array(0..<16)))
        let frame = TransferFrame(transfer: id, offset: 0x0102, content: .data([9, 8]))
        let bytes: [UInt8] = [1, 1, 1] + Array(0..<16) + [0, 0, 0, 0, 0, 0, 1, 2, 9, 8]
        #expect(frame.bytes == bytes)
        #expect(TransferFrame(bytes) == frame)
        for content in [
            TransferFrame.Content.taken(count: 5), .want(count: 524_288), .refused(code: -32005, reason: "voll"),
        ] {
            let frame = TransferFrame(transfer: id, offset: 7, content: content)
            #expect(TransferFrame(frame.bytes) == frame)
        }
        #expect(TransferFrame(TransferFrame(transfer: id, offset: 0, content: .want(count: 524_289)).bytes) == nil)
        #expect(TransferFrame(Array(bytes.dropLast(2))) == nil)
        #expect(TransferFrame(bytes + [UInt8](repeating: 0, count: 512 << 10)) == nil)
        var negative = bytes
        negative[19] = 0xFF
        #expect(TransferFrame(negative) == nil)
        #expect(TransferFrame(Array("{}".utf8)) == nil)
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<20_000 {
            var noise = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            if noise.count > 2 { (noise[0], noise[1], noise[2]) = (1, 1, UInt8.random(in: 0...5, using: &generator)) }
            if let frame = TransferFrame(noise) { #expect(TransferFrame(frame.bytes) == frame) }
        }
    }

    @Test("a digest is the file's in whatever order its parts come, and reads back only what came too early")
    func digest() throws {
        var generator = SeededGenerator(seed: 17)
        let file = MemoryFile(bytes: (0..<10_000).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        let expected = Hexadecimal.encode(Array(SHA256.hash(data: file.bytes)))
        for distance in [0, 3, 15, 60] {
            var order = Array(stride(from: 0, to: 10_000, by: 100))
            for index in order.indices where distance > 0 {
                order.swapAt(index, min(order.count - 1, index + Int.random(in: 0...distance, using: &generator)))
            }
            var digest = FileDigest(.sha256, size: 10_000)
            for offset in order { try digest.take(file.bytes[offset..<offset + 100], at: Int64(offset)) }
            if distance < 4 { #expect(digest.position == 10_000) }
            #expect(try digest.finish(file, named: "it") == expected)
        }
    }

    @Test("block tags are the same in whatever pieces a file comes, others with another byte, order, size or key")
    func blockTags() throws {
        let block = 256 << 10
        var generator = SeededGenerator(seed: 18)
        let bytes = (0..<5 * block + 777).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let key = (0..<32).map { UInt8($0) }
        func checksum(_ bytes: [UInt8], key: [UInt8] = key, takes: [Range<Int>] = []) throws -> String {
            var digest = FileDigest(ChecksumMethod(key: key), size: Int64(bytes.count))
            for range in takes { try digest.take(bytes[range], at: Int64(range.lowerBound)) }
            return try digest.finish(MemoryFile(bytes: bytes), named: "it")
        }
        let expected = try checksum(bytes)
        #expect(FileChecksum(expected)?.text == expected)
        // Against the definition, from the primitives: docs/protocol.md, "Files".
        var tags = SHA256()
        for number in 0..<6 {
            let part = bytes.dropFirst(number * block).prefix(block)
            let nonce = try AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 11) + [UInt8(number)])
            let box = try AES.GCM.seal([UInt8](), using: SymmetricKey(data: key), nonce: nonce, authenticating: part)
            tags.update(data: box.tag)
        }
        withUnsafeBytes(of: Int64(bytes.count).bigEndian) { tags.update(bufferPointer: $0) }
        #expect(expected == "gmac-256k:" + Hexadecimal.encode(Array(tags.finalize())))

        for size in [1000, block - 1, block, block + 1, 2 * block, 3 * block] {
            var pieces = stride(from: 0, to: bytes.count, by: size).map { $0..<min($0 + size, bytes.count) }
            #expect(try checksum(bytes, takes: pieces) == expected)
            pieces.shuffle(using: &generator)
            #expect(try checksum(bytes, takes: pieces) == expected)
            #expect(try checksum(bytes, takes: Array(pieces.dropLast(2))) == expected)
        }
        var other = bytes
        other[4 * block + 3] ^= 1
        #expect(try checksum(other) != expected)
        #expect(try checksum(Array(bytes[block...]) + bytes[..<block]) != expected)
        #expect(try checksum(bytes + [0]) != expected)
        #expect(try checksum(bytes, key: Array(key.reversed())) != expected)
        #expect(try checksum([]) != checksum([0]))
    }

    @Test("the frames and the checksum of the protocol's worked example are what this code writes")
    func documentedExample() throws {
        let download = try #require(TransferID(text: "dn_44444444444444444444444444444444"))
        let upload = try #require(TransferID(text: "up_11111111111111111111111111111111"))
        func written(_ transfer: TransferID, _ content: TransferFrame.Content) -> String {
            Hexadecimal.encode(TransferFrame(transfer: transfer, offset: 0, content: content).bytes)
        }
        let four = String(repeating: "44", count: 16) + "0000000000000000"
        #expect(written(download, .want(count: 18)) == "010103" + four + "00000012")
        #expect(
            written(download, .data(Array("Quarterly figures\n".utf8)[...]))
                == "010101" + four + "517561727465726c7920666967757265730a"
        )
        #expect(
            written(download, .refused(code: -32020, reason: "No such transfer."))
                == "010104" + four + "ffff82ec4e6f2073756368207472616e736665722e"
        )
        #expect(
            written(upload, .taken(count: 5))
                == "010102" + String(repeating: "11", count: 16) + "000000000000000000000005"
        )
        let hello = Array("hello".utf8)
        var digest = FileDigest(ChecksumMethod(key: Array(0..<32)), size: 5)
        try digest.take(hello[...], at: 0)
        #expect(
            try digest.finish(MemoryFile(bytes: hello), named: "it")
                == "gmac-256k:f214fab385e46ec02f68834bc489a8e086d00132114e2cda1b72858c595b6fce"
        )
    }

    @Test("a file that became shorter is told, by either method", arguments: [nil, [UInt8](repeating: 1, count: 32)])
    func shortened(key: [UInt8]?) throws {
        let file = MemoryFile(bytes: [UInt8](repeating: 7, count: 600_000))
        var digest = FileDigest(ChecksumMethod(key: key), size: 700_000)
        #expect(throws: TransferError.sourceChanged("it")) { try digest.finish(file, named: "it") }
    }

    private struct MemoryFile: ReadableFile {
        let bytes: [UInt8]

        func status() throws(FileError) -> FileStatus { throw .unsupported("This") }
        func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
            Array(bytes.dropFirst(Int(offset)).prefix(count))
        }
    }

    @Test("a disk that failed once is not believed again for the same partial file")
    func synchronizationFailure() throws {
        let part = FailingPart()
        let synchronizer = PartSynchronizer()
        try synchronizer.synchronize(part)
        part.failsNext.withLock { $0 = true }
        #expect(throws: FileError.diskFull(needed: 1)) { try synchronizer.synchronize(part) }
        #expect(throws: FileError.diskFull(needed: 1)) { try synchronizer.synchronize(part) }
        #expect(part.calls.withLock { $0 } == 2)
    }

    /// Fails once, as the system does: the next call succeeds.
    private final class FailingPart: PartialFile {
        let failsNext = Mutex(false)
        let calls = Mutex(0)

        func synchronize() throws(FileError) {
            calls.withLock { $0 += 1 }
            let fails = failsNext.withLock { fails in
                defer { fails = false }
                return fails
            }
            if fails { throw .diskFull(needed: 1) }
        }

        func status() throws(FileError) -> FileStatus { throw .unsupported("This") }
        func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] { [] }
        func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(FileError) {}
        func finish(as name: [UInt8], replacing: Bool, permissions: UInt32?, modifiedMilliseconds: Int64?)
            throws(FileError)
        {}
        func isInPlace() throws(FileError) -> Bool { true }
        func discard() throws(FileError) {}
    }

    @Test("an error says on which device it is, sizes as people read them, and no hidden name")
    func sides() {
        #expect(FileError(errno: EACCES, path: "/p", on: .thisDevice).description.contains("on this device"))
        #expect(!FileError(errno: EROFS, path: "/p", on: .thisDevice).description.contains("omputer"))
        #expect(FileError(errno: EACCES, path: "/p").description.contains("The computer's user"))
        #expect(
            FileError(errno: ENOSPC, path: "/p", size: 3 << 30, on: .thisDevice).description
                == "The disk of this device has no room for 3.0 GiB. Free some space there, then try again."
        )
        let id = String(repeating: "0", count: 32)
        let part = PartName.make(Array("a.txt".utf8), id: id)
        #expect(part == Array(".a.txt.tandem-part-\(id)".utf8))
        #expect(PartName.shown(part) == Array("a.txt".utf8))
        for name in ["a", ".hidden", ".a.tandem-part-1", ".tandem-part-\(id)"] {
            #expect(PartName.shown(Array(name.utf8)) == Array(name.utf8))
        }
    }

    @Test("a pattern fits names as a person expects")
    func patterns() {
        #expect(NamePattern("RePort").matches("my report.txt"))
        #expect(NamePattern("*.txt").matches("a.TXT"))
        #expect(!NamePattern("*.txt").matches("a.txt.gz"))
        #expect(NamePattern("a?c*").matches("abcdef"))
        #expect(!NamePattern("a*b").matches("a"))
        #expect(NamePattern("*").matches("x"))
    }
}
