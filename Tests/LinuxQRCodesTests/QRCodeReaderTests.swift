import LinuxDesktopTesting
import LinuxQRCodes
import QRCodes
import Testing

@Suite("Reading QR codes", .timeLimit(.minutes(4)))
struct QRCodeReaderTests {
    private let reader = Samples.reader

    @Test("what was drawn is read back", arguments: [1, 2, 4, 8, 32])
    func roundTrip(modulePixels: Int) async throws {
        let picture = try await Samples.png(Samples.pairingText, modulePixels: modulePixels)
        #expect(try await reader.text(in: picture) == Samples.pairingText)
    }

    @Test("text beyond ASCII survives", arguments: ["Zoë's Rechner ☕️", "ファイル", "a\u{0}b"])
    func unicode(text: String) async throws {
        #expect(try await reader.text(in: Samples.png(text)) == text)
    }

    @Test("every allowed format is read", arguments: ["png", "jpeg", "webp", "gif", "heic", "avif"])
    func formats(format: String) async throws {
        let picture = try await Samples.converted(Samples.png(Samples.pairingText), [], to: format)
        #expect(try await reader.text(in: picture) == Samples.pairingText)
    }

    @Test("formats with loaders not meant for strangers' files are refused", arguments: ["bmp", "tiff", "ppm", "jp2"])
    func otherFormats(format: String) async throws {
        let picture = try await Samples.converted(Samples.png("a"), [], to: format)
        await #expect(throws: QRError.notAPicture) { try await reader.text(in: picture) }
    }

    @Test(
        "documents that draw are refused",
        arguments: ["<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>", "%PDF-1.4\n", "%!PS-Adobe-3.0\n"]
    )
    func documents(text: String) async {
        await #expect(throws: QRError.notAPicture) { try await reader.text(in: Array(text.utf8)) }
    }

    @Test(
        "codes are read as people show them",
        arguments: [
            ["-rotate", "17"],
            ["-rotate", "180"],
            ["-negate"],
            ["-transparent", "white"],
            ["-depth", "16", "-alpha", "on", "-channel", "A", "-evaluate", "set", "99%"],
            ["-blur", "0x2"],
            ["-fill", "#402010", "-opaque", "black", "-fill", "#f0e0c0", "-opaque", "white"],
            ["-bordercolor", "#336699", "-border", "900x700"],
            ["-bordercolor", "white", "-border", "1500x1500"],
        ]
    )
    func photos(arguments: [String]) async throws {
        let picture = try await Samples.converted(
            Samples.png(Samples.pairingText, level: .low, modulePixels: 6),
            arguments,
            to: "png"
        )
        #expect(try await reader.text(in: picture) == Samples.pairingText)
    }

    @Test("a blank picture says that there is no code")
    func blank() async throws {
        let picture = try await Samples.converted(
            Samples.png("a"),
            ["-fill", "white", "-colorize", "100"],
            to: "png"
        )
        await #expect(throws: QRError.noCode) { try await reader.text(in: picture) }
    }

    @Test("two codes side by side are counted, the same code twice is one")
    func several() async throws {
        let first = try await Samples.png("first", modulePixels: 8)
        let second = try await Samples.png("second", modulePixels: 8)
        let pair = try await Samples.sideBySide(first, second)
        await #expect(throws: QRError.severalCodes(count: 2)) { try await reader.text(in: pair) }
        let twins = try await Samples.sideBySide(first, first)
        #expect(try await reader.text(in: twins) == "first")
    }

    @Test(
        "bytes that are no picture are refused",
        arguments: [[], Array("hello".utf8), Array(repeating: UInt8(0xFF), count: 999)]
    )
    func junk(bytes: [UInt8]) async {
        await #expect(throws: QRError.notAPicture) { try await reader.text(in: bytes) }
    }

    @Test("a picture cut off in its header is damaged")
    func truncated() async throws {
        let picture = try await Samples.png(Samples.pairingText)
        let error = await #expect(throws: QRError.self) { try await reader.text(in: Array(picture.prefix(20))) }
        guard case .damagedPicture = error else {
            Issue.record("20 bytes of a PNG gave \(String(describing: error))")
            return
        }
    }

    @Test("a header that claims too many pixels is refused before anything is decoded")
    func bomb() async throws {
        // 30000 × 30000 in the header of an otherwise small file.
        var picture = try await Samples.png("a")
        picture.replaceSubrange(16..<24, with: [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30])
        PNG.repairHeaderChecksum(of: &picture)
        await #expect(throws: QRError.pictureTooLarge(width: 30_000, height: 30_000, pages: 1, limit: 64_000_000)) {
            try await reader.text(in: picture)
        }
    }

    @Test("pages count: an animation is refused when its frames together are too large")
    func pages() async throws {
        let small = LinuxQRCodeReader(pictures: Samples.pictures, limits: PictureLimits(pixels: 116 * 116 * 2))
        let frame = try await Samples.png("a")
        let still = try await Samples.converted(frame, [], to: "gif")
        #expect(try await small.text(in: still) == "a")
        let animation = try await Samples.converted(
            frame,
            ["(", "+clone", "-negate", ")", "(", "+clone", "-negate", "-rotate", "90", ")"],
            to: "gif"
        )
        await #expect(throws: QRError.pictureTooLarge(width: 116, height: 116, pages: 3, limit: 116 * 116 * 2)) {
            try await small.text(in: animation)
        }
    }

    @Test("text longer than a pairing code's is refused before it is parsed")
    func longText() async throws {
        let strict = LinuxQRCodeReader(pictures: Samples.pictures, limits: PictureLimits(textBytes: 10))
        #expect(try await strict.text(in: Samples.png("ten bytes.")) == "ten bytes.")
        await #expect(throws: QRError.codeTooLong(bytes: 11, limit: 10)) {
            try await strict.text(in: Samples.png("more bytes."))
        }
    }

    @Test("a file beyond the limit is refused unread")
    func longFile() async throws {
        let strict = LinuxQRCodeReader(pictures: Samples.pictures, limits: PictureLimits(fileBytes: 99))
        await #expect(throws: QRError.fileTooLarge(limit: 99)) { try await strict.text(in: Samples.png("a")) }
    }
}
