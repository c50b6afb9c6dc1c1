import PictureWire
import Testing

@Suite("Frames of the picture program")
struct FrameTests {
    static let wishes: [PictureRequest.Wish] = [
        .header, .encoded(jpegQuality: nil, maxWidth: 640), .encoded(jpegQuality: 100, maxWidth: 64_000_000),
        .grey(side: 4096), .colour(side: 40), .photo(byteLimit: 204_800), .thumbnail(longEdge: 320, jpegQuality: 70),
    ]

    @Test("a request is read as it was written", arguments: wishes)
    func request(wish: PictureRequest.Wish) throws {
        let request = try #require(PictureRequest(wish, pixelLimit: 50_000_000, byteCount: 12_345))
        #expect(request.bytes.count == PictureRequest.size)
        #expect(PictureRequest(bytes: request.bytes) == request)
    }

    @Test("pixels to draw are exactly as many as their edges say")
    func pixels() throws {
        let request = try #require(PictureRequest(.bilevelPNG(width: 30, height: 20), byteCount: 600))
        #expect(PictureRequest(bytes: request.bytes) == request)
        #expect(PictureRequest(.bilevelPNG(width: 30, height: 20), byteCount: 599) == nil)
    }

    @Test(
        "numbers out of their bounds make no request",
        arguments: [
            .encoded(jpegQuality: 101, maxWidth: 1), .encoded(jpegQuality: 80, maxWidth: 0),
            .encoded(jpegQuality: 80, maxWidth: 64_000_001), .grey(side: 0), .grey(side: 4097), .colour(side: 0),
            .colour(side: 4097), .photo(byteLimit: 0),
            .photo(byteLimit: 64 << 20 + 1), .thumbnail(longEdge: 0, jpegQuality: 70),
            .thumbnail(longEdge: 4097, jpegQuality: 70), .thumbnail(longEdge: 1, jpegQuality: 0),
            .bilevelPNG(width: 65_501, height: 0),
        ] as [PictureRequest.Wish]
    )
    func outOfBounds(wish: PictureRequest.Wish) {
        #expect(PictureRequest(wish, byteCount: 0) == nil)
    }

    @Test("a request is refused when any of its bytes is another one than written")
    func damagedRequest() throws {
        let bytes = try #require(PictureRequest(.header, byteCount: 0)).bytes
        // The last byte of the bytes to come may be any number within the bound, and so may the limit of pixels.
        for index in bytes.indices where !(16..<24).contains(index) {
            var damaged = bytes
            damaged[index] ^= 0x80
            #expect(PictureRequest(bytes: damaged) == nil, "byte \(index)")
        }
        #expect(PictureRequest(bytes: Array(bytes.dropLast())) == nil)
        #expect(PictureRequest(bytes: bytes + [0]) == nil)
    }

    @Test(
        "a picture beyond 64 MiB and a limit beyond 64 million pixels make no request",
        arguments: [-1, 64 << 20 + 1]
    )
    func tooMuch(byteCount: Int) {
        #expect(PictureRequest(.header, byteCount: byteCount) == nil)
        #expect(PictureRequest(.header, pixelLimit: 64_000_001, byteCount: 0) == nil)
        #expect(PictureRequest(.header, pixelLimit: 0, byteCount: 0) == nil)
    }

    @Test("a reply and a greeting are read as they were written, and nothing else is")
    func reply() throws {
        var reply = PictureReply(.tooLarge)
        (reply.width, reply.height, reply.pages) = (30_000, 20_000, 3)
        (reply.textCount, reply.byteCount) = (255, 1 << 31)
        #expect(PictureReply(bytes: reply.bytes) == reply)
        #expect(PictureReply(bytes: Array(reply.bytes.dropLast())) == nil)
        for index in [0, 1, 2, 3, 4, 6, 7] {
            var damaged = reply.bytes
            damaged[index] ^= 0x40
            #expect(PictureReply(bytes: damaged) == nil, "byte \(index)")
        }
        let hello = PictureHello([.limits, .systemCalls], versionCount: 6)
        #expect(PictureHello(bytes: hello.bytes) == hello)
        for index in [0, 1, 2, 3, 5] {
            var damaged = hello.bytes
            damaged[index] ^= 0x40
            #expect(PictureHello(bytes: damaged) == nil, "byte \(index)")
        }
    }
}
