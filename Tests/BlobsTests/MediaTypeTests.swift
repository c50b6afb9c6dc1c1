import Testing
import Transfers

@testable import Blobs

@Suite("Types and sizes by the first bytes")
struct MediaTypeTests {
    @Test(
        "each type of the list is known by its signature",
        arguments: [
            (Samples.jpeg(), .jpeg), (Samples.png(width: 1, height: 1), .png), (Array("GIF89a....".utf8), .gif),
            (Array("GIF87a....".utf8), .gif), (Array("RIFF....WEBPVP8 ".utf8), .webp),
            (Samples.brands("heic", "mif1"), .heic),
            (Samples.brands("mif1", "heic"), .heic), (Samples.brands("mif1"), .heif),
            (Samples.brands("avif", "mif1"), .avif),
            (Samples.brands("mif1", "avif"), .avif), (Samples.brands("M4A ", "mp42", "isom"), .m4a),
            (Samples.brands("isom", "iso2", "mp41"), .mp4), ([0xFF, 0xF1, 0x50, 0x80], .aac),
            ([0xFF, 0xF9, 0x50, 0x80], .aac), (Array("#!AMR\n".utf8), .amr), (Array("OggS\0".utf8), .ogg),
            (Array("RIFF....WAVEfmt ".utf8), .wav), (Array("caff\0\u{1}".utf8), .caf),
            ([0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x86, 0x81, 1, 0x42, 0x82, 0x84] + Array("webm".utf8), .webm),
        ] as [([UInt8], MediaType)]
    )
    func known(bytes: [UInt8], type: MediaType) {
        #expect(MediaType(sniffing: bytes) == type)
    }

    @Test("the beginnings of files that end anywhere are of a type or of none")
    func cut() {
        let heads: [[UInt8]] = [
            [0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x86, 0x81, 1, 0x42, 0x82, 0x84] + Array("webm".utf8),
            Samples.brands("mif1", "heic"), Array("RIFF....WEBPVP8 ".utf8), Samples.jpeg(),
        ]
        for head in heads {
            let types = (0...head.count).map { MediaType(sniffing: head.prefix($0)) }
            #expect(types.first == .some(nil))
            #expect(types.last != .some(nil))
        }
        // A signature with as many other bytes behind it as its shortest head has.
        for count in 4...20 {
            let bytes: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3] + Array(repeating: 0, count: count - 4)
            #expect(MediaType(sniffing: bytes) == nil)
        }
    }

    @Test(
        "everything else is of no type, whatever it is called",
        arguments: [
            [], [0xFF], [0xFF, 0xD8], Array("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8),
            Array("<!DOCTYPE html><script>".utf8), Array("%PDF-1.7".utf8), Array("PK\u{3}\u{4}".utf8),
            Array("RIFF....AVI ".utf8), Array("RIFF".utf8), Array("MZ".utf8), Array("ID3\u{4}".utf8),
            Samples.brands("qt  ", "heic"), Array("GIF88a".utf8),
            // A box that is too short, one that is no box, and one whose size says nothing.
            [0, 0, 0, 8] + Array("ftypheic".utf8), Array("....ftypheic....".utf8),
            [0, 0, 0, 0] + Array("ftypheic....".utf8),
            // Matroska, and a head of EBML that ends.
            [0x1A, 0x45, 0xDF, 0xA3, 0x42, 0x82, 0x88] + Array("matroska".utf8), [0x1A, 0x45, 0xDF, 0xA3, 0x42],
            [0x1A, 0x45, 0xDF, 0xA3],
        ] as [[UInt8]]
    )
    func unknown(bytes: [UInt8]) {
        #expect(MediaType(sniffing: bytes) == nil)
    }

    @Test("a box of brands may be longer than what is looked at")
    func longBox() {
        let brands = (0..<200).map { _ in "abcd" }
        var bytes = [0, 0, 3, 0x40] + Array("ftypisom....".utf8) + brands.flatMap { Array($0.utf8) }
        #expect(MediaType(sniffing: bytes) == .mp4)
        bytes.replaceSubrange(0..<4, with: [0xFF, 0xFF, 0xFF, 0xFC])
        #expect(MediaType(sniffing: bytes) == .mp4)
    }

    @Test("no two types share an extension")
    func extensions() {
        #expect(Set(MediaType.allCases.map(\.fileExtension)).count == MediaType.allCases.count)
    }

    static let lossy: [UInt8] =
        Array("RIFF....WEBPVP8 ....".utf8) + [0, 0, 0, 0x9D, 0x01, 0x2A, 0x80, 0x02, 0xE0, 0x01]
    static let lossless: [UInt8] =
        Array("RIFF....WEBPVP8L....".utf8) + [0x2F, 0x7F, 0xC2, 0x77, 0x00, 0, 0, 0, 0, 0]
    static let extended: [UInt8] =
        Array("RIFF....WEBPVP8X....".utf8) + [0, 0, 0, 0, 0x7F, 0x02, 0, 0xDF, 0x01, 0]

    @Test(
        "a picture's header says its size",
        arguments: [
            (Samples.jpeg(), .jpeg), (Samples.png(width: 640, height: 480), .png),
            (Array("GIF89a".utf8) + [0x80, 0x02, 0xE0, 0x01], .gif), (lossy, .webp), (lossless, .webp),
            (extended, .webp),
            (Samples.heic((64, 48), (640, 480), (320, 240)), .heic),
        ] as [([UInt8], MediaType)]
    )
    func sizes(bytes: [UInt8], type: MediaType) throws {
        let size = try #require(try PictureSize.read(MemoryFile(bytes: bytes), type))
        #expect((size.width, size.height) == (640, 480))
        // Cut anywhere, it says nothing wrong and nothing breaks.
        for count in 0..<bytes.count {
            let cut = try PictureSize.read(MemoryFile(bytes: Array(bytes.prefix(count))), type)
            #expect(cut == nil || cut == size || type == .heic)
        }
    }

    @Test("a JPEG's size stands behind metadata of any length and fill bytes")
    func jpegSegments() throws {
        let segment: [UInt8] = [0xFF, 0xE1, 0xFF, 0xFF] + [UInt8](repeating: 7, count: 65_533)
        let plain = Samples.jpeg()
        let bytes = Array(plain[..<20]) + segment + segment + [0xFF, 0xFF] + Array(plain[20...])
        #expect(try PictureSize.read(MemoryFile(bytes: bytes), .jpeg)?.pixels == 640 * 480)
    }

    @Test(
        "headers that lead nowhere say no size",
        arguments: [
            ([0xFF, 0xD8, 0xFF, 0xE0, 0, 0, 0, 0, 0, 0, 0, 0], .jpeg),
            ([0xFF, 0xD8] + [UInt8](repeating: 0xFF, count: 5000), .jpeg),
            ([0xFF, 0xD8, 0xFF, 0xDA, 0, 8, 0, 0, 0, 0, 0, 0], .jpeg), (Samples.jpeg(width: 0), .jpeg),
            (Samples.png(width: 0, height: 5), .png),
            (Samples.brands("heic") + [0, 0, 0, 1] + Array("meta".utf8) + [UInt8](repeating: 0xFF, count: 8), .heic),
            (Samples.brands("heic") + [0, 0, 0, 4] + Array("meta....".utf8), .heic),
            (Samples.brands("heic") + Samples.box("meta", [0, 0]), .heic),
            (Samples.brands("heic") + (0..<3000).flatMap { _ in Samples.box("free", []) }, .heic),
        ] as [([UInt8], MediaType)]
    )
    func nowhere(bytes: [UInt8], type: MediaType) throws {
        #expect(try PictureSize.read(MemoryFile(bytes: bytes), type) == nil)
    }
}
