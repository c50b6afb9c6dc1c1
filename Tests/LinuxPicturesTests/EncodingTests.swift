import LinuxDesktopTesting
import LinuxPictures
import Pictures
import Testing

@Suite("Pictures scaled by libvips", .timeLimit(.minutes(5)))
struct EncodingTests {
    private let pictures = LinuxPictures()

    @Test("the header tells the size, and a picture keeps its shape when it is made narrower")
    func scaled() async throws {
        let picture = try await ImageMagick.make(["-size", "300x200", "xc:#112233"])
        #expect(try await pictures.dimensions(of: picture) == PictureDimensions(width: 300, height: 200))
        for format in PictureFormat.allCases {
            let small = try await pictures.encode(picture, as: format, quality: 90, maxWidth: 150)
            #expect(small.dimensions == PictureDimensions(width: 150, height: 100))
            #expect(small.format == format)
            #expect(try await ImageMagick.size(of: small.bytes) == [150, 100])
        }
        let same = try await pictures.encode(picture, as: .png, quality: 90, maxWidth: 1000)
        #expect(same.dimensions == PictureDimensions(width: 300, height: 200))
        #expect(try await ImageMagick.pixel(x: 299, y: 199, of: same.bytes) == [0x11, 0x22, 0x33])
    }

    @Test("what shows through in a PNG is white in a JPEG")
    func transparent() async throws {
        let picture = try await ImageMagick.make(["-size", "32x32", "xc:none"])
        let jpeg = try await pictures.encode(picture, as: .jpeg, quality: 90, maxWidth: nil)
        #expect(try await ImageMagick.pixel(x: 16, y: 16, of: jpeg.bytes) == [255, 255, 255])
    }

    @Test("a picture with sixteen bits or one bit a pixel is read like any other")
    func depths() async throws {
        let deep = try await ImageMagick.make([
            "-size", "20x20", "gradient:red-blue", "-depth", "16", "-define", "png:bit-depth=16",
        ])
        #expect(try await pictures.encode(deep, as: .jpeg, quality: 80, maxWidth: 10).dimensions.width == 10)
        let flat = try await ImageMagick.make(["-size", "20x20", "xc:black", "-monochrome"])
        let png = try await pictures.encode(flat, as: .png, quality: 80, maxWidth: nil)
        #expect(try await ImageMagick.pixel(x: 10, y: 10, of: png.bytes) == [0, 0, 0])
    }

    @Test("what is no picture, is damaged, or claims to be huge is refused before it is decoded")
    func refused() async throws {
        await #expect(throws: PictureError.notAPicture) {
            try await pictures.encode(Array("hello".utf8), as: .png, quality: 80, maxWidth: nil)
        }
        await #expect(throws: PictureError.notAPicture) { try await pictures.dimensions(of: []) }
        let picture = try await ImageMagick.make(["-size", "64x64", "plasma:"])
        await #expect(throws: PictureError.self) {
            try await pictures.encode(Array(picture.prefix(40)), as: .png, quality: 80, maxWidth: nil)
        }
        // Not even a picture that says so and no more: width and height stand in its first chunk.
        var huge = try await ImageMagick.make(["-size", "300x1", "xc:white", "-monochrome"])
        huge.replaceSubrange(16..<24, with: [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30])
        PNG.repairHeaderChecksum(of: &huge)
        await #expect(throws: PictureError.tooLarge(PictureDimensions(width: 30_000, height: 30_000))) {
            try await pictures.encode(huge, as: .jpeg, quality: 80, maxWidth: 100)
        }
    }
}
