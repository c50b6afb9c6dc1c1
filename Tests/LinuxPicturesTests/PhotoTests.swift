import KernelTesting
import LinuxDesktopTesting
import LinuxPictures
import Pictures
import Testing

@Suite("Photos that are made to fit", .timeLimit(.minutes(4)))
struct PhotoTests {
    private static let limit = 204_800
    private static let pixels = 50_000_000

    private let pictures = LinuxPictures()

    private func photo(_ picture: [UInt8], within limit: Int = limit) async throws -> EncodedPicture {
        try await pictures.photo(picture, within: limit, pixelLimit: Self.pixels)
    }

    @Test("a small picture stays as large as it is, as a JPEG")
    func small() async throws {
        let picture = try await ImageMagick.make(["-size", "300x200", "xc:#112233"])
        let photo = try await photo(picture)
        #expect(photo.format == .jpeg)
        #expect(photo.dimensions == PictureDimensions(width: 300, height: 200))
        #expect(try await ImageMagick.size(of: photo.bytes) == [300, 200])
        let pixel = try await ImageMagick.pixel(x: 150, y: 100, of: photo.bytes)
        #expect(zip(pixel, [0x11, 0x22, 0x33]).allSatisfy { abs(Int($0) - $1) <= 4 })
    }

    @Test("noise of twelve million pixels, which no quality makes small, fits into 200 KiB and keeps its shape")
    func noise() async throws {
        let picture = try await ImageMagick.make(
            ["-size", "4000x3000", "xc:gray", "+noise", "Random", "-quality", "95"],
            as: "jpeg"
        )
        #expect(picture.count > 8 << 20)
        let photo = try await photo(picture)
        #expect(photo.bytes.count <= Self.limit)
        // As large as the steps allow: the next larger one has nearly half as many bytes more.
        #expect(photo.bytes.count > Self.limit / 2)
        let size = photo.dimensions
        #expect(abs(Double(size.width) / Double(size.height) - 4.0 / 3) < 0.02)
        #expect(try await ImageMagick.size(of: photo.bytes) == [size.width, size.height])
    }

    @Test("a quality between the highest and the lowest is taken where it is enough")
    func quality() async throws {
        let picture = try await ImageMagick.make(["-size", "700x500", "plasma:", "+noise", "Random"])
        let whole = try await pictures.encode(picture, as: .jpeg, quality: 80, maxWidth: nil)
        let fifty = try await pictures.encode(picture, as: .jpeg, quality: 50, maxWidth: nil)
        let photo = try await photo(picture, within: fifty.bytes.count + 100)
        #expect(photo.dimensions == PictureDimensions(width: 700, height: 500))
        #expect(photo.bytes.count < whole.bytes.count)
        #expect(photo.bytes.count == fifty.bytes.count)
    }

    @Test(
        "the thinnest pictures fit, too",
        arguments: [(65_500, 1), (1, 65_500), (65_000, 100), (100, 65_000), (1, 1)]
    )
    func thin(width: Int, height: Int) async throws {
        var generator = SeededGenerator(seed: 7)
        let noise: [UInt8] = (0..<width * height).map { _ in generator.next() & 1 == 0 ? 0 : 255 }
        let picture = try await pictures.bilevelPNG(of: noise, width: width, height: height)
        for limit in [Self.limit, 20_000] {
            let photo = try await photo(picture, within: limit)
            #expect(photo.bytes.count <= limit)
            #expect((1...width).contains(photo.dimensions.width))
            #expect((1...height).contains(photo.dimensions.height))
        }
    }

    @Test("a limit that no JPEG keeps is an error and not a larger picture")
    func impossible() async throws {
        let picture = try await ImageMagick.make(["-size", "30x20", "xc:red"])
        await #expect(throws: PictureError.doesNotFit(bytes: 100)) { try await photo(picture, within: 100) }
        await #expect(throws: PictureError.doesNotFit(bytes: 0)) { try await photo(picture, within: 0) }
    }

    @Test("a photo stands upright, and where and by whom it was taken is gone")
    func upright() async throws {
        let sideways = try await ImageMagick.make(
            ["-size", "60x80", "xc:red", "-size", "60x80", "xc:blue", "+append", "-strip"],
            as: "jpeg"
        )
        let picture = Exif.adding(orientation: 6, description: "52.5163 N, taken by Ada", to: sideways)
        #expect(picture.count > sideways.count)
        let photo = try await photo(picture)
        #expect(photo.dimensions == PictureDimensions(width: 80, height: 120))
        // What was left is above.
        let top = try await ImageMagick.pixel(x: 40, y: 10, of: photo.bytes)
        let bottom = try await ImageMagick.pixel(x: 40, y: 110, of: photo.bytes)
        #expect(top[0] > 200 && top[2] < 60)
        #expect(bottom[2] > 200 && bottom[0] < 60)
        for hidden in ["Exif", "52.5163", "Ada"] {
            #expect(String(decoding: picture, as: UTF8.self).contains(hidden))
            #expect(!String(decoding: photo.bytes, as: UTF8.self).contains(hidden))
        }
    }

    @Test("a thumbnail is upright, no larger than its source, without metadata, and has a BlurHash")
    func thumbnail() async throws {
        let wide = try await ImageMagick.make(
            ["-size", "300x400", "xc:red", "-size", "300x400", "xc:blue", "+append", "-strip"],
            as: "jpeg"
        )
        let picture = Exif.adding(orientation: 6, description: "taken by Ada", to: wide)
        let small = try await pictures.thumbnail(of: picture, longEdge: 120, pixelLimit: Self.pixels)
        #expect(small.picture.dimensions == PictureDimensions(width: 80, height: 120))
        #expect(small.picture.format == .jpeg)
        #expect(try await ImageMagick.size(of: small.picture.bytes) == [80, 120])
        #expect(!String(decoding: small.picture.bytes, as: UTF8.self).contains("Ada"))
        #expect(small.blurHash.utf8.count == 28)
        #expect(small.blurHash.hasPrefix("L"))
        let same = try await pictures.thumbnail(of: picture, longEdge: 4000, pixelLimit: Self.pixels)
        #expect(same.picture.dimensions == PictureDimensions(width: 400, height: 600))
        // Red above and blue below differ from top to bottom, and not from left to right.
        let grey = try await ImageMagick.make(["-size", "400x600", "xc:gray"])
        let flat = try await pictures.thumbnail(of: grey, longEdge: 120, pixelLimit: Self.pixels)
        #expect(flat.blurHash != small.blurHash)
    }

    @Test("pixels to draw are upright, red, green and blue, and as small as they are wanted")
    func colour() async throws {
        let wide = try await ImageMagick.make(
            ["-size", "300x400", "xc:red", "-size", "300x400", "xc:blue", "+append", "-strip"],
            as: "jpeg"
        )
        let picture = Exif.adding(orientation: 6, description: "taken by Ada", to: wide)
        let (size, pixels) = try await pictures.colour(of: picture, side: 30)
        #expect(size == PictureDimensions(width: 20, height: 30))
        try #require(pixels.count == 20 * 30 * 3)
        func isNear(_ place: Int, _ colour: [Int]) -> Bool {
            zip(pixels[(place * 3)...].prefix(3), colour).allSatisfy { abs(Int($0) - $1) <= 12 }
        }
        #expect(isNear(5, [255, 0, 0]))
        #expect(isNear(29 * 20 + 5, [0, 0, 255]))
        await #expect(throws: PictureError.notAPicture) { try await pictures.colour(of: Array("text".utf8), side: 30) }
    }

    @Test("every format that is read becomes a photo", arguments: ["png", "jpeg", "webp", "gif", "heic", "avif"])
    func formats(format: String) async throws {
        let picture = try await ImageMagick.make(["-size", "64x48", "xc:#3060c0"], as: format)
        let photo = try await photo(picture)
        #expect(photo.dimensions == PictureDimensions(width: 64, height: 48))
        let pixel = try await ImageMagick.pixel(x: 30, y: 20, of: photo.bytes)
        #expect(zip(pixel, [0x30, 0x60, 0xC0]).allSatisfy { abs(Int($0) - $1) <= 12 })
    }

    @Test(
        "grey pictures, CMYK, sixteen bits and what shows through become photos",
        arguments: [
            ["-size", "40x30", "gradient:white-black", "-colorspace", "Gray"],
            ["-size", "40x30", "xc:none"],
            ["-size", "40x30", "gradient:red-blue", "-depth", "16", "-define", "png:bit-depth=16"],
        ]
    )
    func kinds(arguments: [String]) async throws {
        let photo = try await photo(try await ImageMagick.make(arguments))
        #expect(photo.dimensions == PictureDimensions(width: 40, height: 30))
        let printed = try await ImageMagick.make(["-size", "40x30", "xc:red", "-colorspace", "CMYK"], as: "jpeg")
        let pixel = try await ImageMagick.pixel(x: 20, y: 15, of: try await self.photo(printed).bytes)
        #expect(pixel[0] > 180 && pixel[1] < 90 && pixel[2] < 90)
    }

    @Test("sixty million pixels are refused by their header where fifty are the limit")
    func sixtyMillion() async throws {
        var huge = try await ImageMagick.make(["-size", "300x1", "xc:white", "-monochrome"])
        huge.replaceSubrange(16..<24, with: [0, 0, 0x27, 0x10, 0, 0, 0x17, 0x70])
        PNG.repairHeaderChecksum(of: &huge)
        let size = PictureDimensions(width: 10_000, height: 6000)
        await #expect(throws: PictureError.tooLarge(size, limit: Self.pixels)) { try await photo(huge) }
        await #expect(throws: PictureError.tooLarge(size, limit: Self.pixels)) {
            try await pictures.thumbnail(of: huge, longEdge: 100, pixelLimit: Self.pixels)
        }
    }

    @Test(
        "a bomb within the limit, fifty million pixels in a few kilobytes, becomes a thumbnail within the memory there is"
    )
    func bomb() async throws {
        let bomb = try await ImageMagick.make(["-size", "7000x7000", "xc:white", "-depth", "1", "-type", "bilevel"])
        #expect(bomb.count < 200_000)
        let small = try await pictures.thumbnail(of: bomb, longEdge: 100, pixelLimit: Self.pixels)
        #expect(small.picture.dimensions == PictureDimensions(width: 100, height: 100))
    }
}
