import LinuxDesktopTesting
import LinuxPictures
import PictureWire
import Testing

@Suite("The program tandem-pictures", .timeLimit(.minutes(4)))
struct ProgramTests {
    @Test("it greets, answers several requests in their order, and ends with its input")
    func several() async throws {
        let picture = try await ImageMagick.make(["-size", "30x20", "xc:#112233"])
        let run = try await RawProgram.run(
            RawProgram.frame(.header, picture) + RawProgram.frame(.header, Array("hello".utf8))
                + RawProgram.frame(.grey(side: 15), picture) + RawProgram.frame(.header, [])
        )
        #expect(run.hello?.confinement.contains(.limits) == true)
        #expect(run.isSuccess)
        #expect(run.rest == 0)
        #expect(run.replies.map(\.reply.outcome) == [.done, .notAPicture, .done, .notAPicture])
        try #require(run.replies.count == 4)
        #expect(run.replies[0].reply.width == 30)
        #expect(run.replies[0].reply.height == 20)
        #expect(run.replies[2].bytes.count == 15 * 10)
    }

    @Test(
        "bytes that are no request end it, and nothing behind them is answered",
        arguments: [
            Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), [UInt8](repeating: 0xFF, count: 4096),
            [UInt8](repeating: 0, count: 28),
        ]
    )
    func garbage(bytes: [UInt8]) async throws {
        let run = try await RawProgram.run(bytes + RawProgram.frame(.header, []))
        #expect(run.hello != nil)
        #expect(run.replies.isEmpty)
        #expect(run.rest == 0)
        #expect(!run.isSuccess)
    }

    @Test("a length beyond the bound ends it before a byte is allocated for it")
    func hostileLength() async throws {
        var frame = RawProgram.frame(.header, [])
        frame.replaceSubrange(20..<24, with: [0xFF, 0xFF, 0xFF, 0xFF])
        let run = try await RawProgram.run(frame + [UInt8](repeating: 0, count: 1 << 20))
        #expect(run.replies.isEmpty)
        #expect(!run.isSuccess)
    }

    @Test("a picture that ends too early is not answered", arguments: [0, 1, 27, 28, 100])
    func truncated(count: Int) async throws {
        let picture = try await ImageMagick.make(["-size", "30x20", "plasma:"])
        let run = try await RawProgram.run(Array(RawProgram.frame(.header, picture).prefix(count)))
        #expect(run.hello != nil)
        #expect(run.replies.isEmpty)
        // Between two requests is where its input ends.
        #expect(run.isSuccess == (count < PictureRequest.size))
    }

    @Test("the noise of any format's beginning is refused or damaged, and the next picture is answered")
    func noise() async throws {
        let good = try await ImageMagick.make(["-size", "8x8", "xc:red"])
        var input: [UInt8] = []
        var generator = SystemRandomNumberGenerator()
        for format in ["png", "jpeg", "webp", "gif", "heic", "avif"] {
            var picture = try await ImageMagick.make(["-size", "64x64", "plasma:"], as: format)
            for index in picture.indices.dropFirst(40) where index % 7 == 0 {
                picture[index] = UInt8.random(in: 0...255, using: &generator)
            }
            input += RawProgram.frame(.thumbnail(longEdge: 32, jpegQuality: 70), picture)
            input += RawProgram.frame(.header, good)
        }
        let run = try await RawProgram.run(input)
        #expect(run.isSuccess)
        try #require(run.replies.count == 12)
        for index in stride(from: 1, to: 12, by: 2) { #expect(run.replies[index].reply.width == 8) }
    }
}
