import DesktopNotifications
import Testing

@Suite("A notification's picture", .timeLimit(.minutes(4)))
struct BusPixelsTests {
    private static func pixels(
        _ width: Int,
        _ height: Int,
        stride: Int,
        hasAlpha: Bool = false,
        bits: Int = 8,
        channels: Int = 3,
        count: Int
    ) -> BusPixels? {
        [UInt8]((0..<count).map { UInt8(truncatingIfNeeded: $0) }).withUnsafeBytes {
            BusPixels(
                width: width,
                height: height,
                rowStride: stride,
                hasAlpha: hasAlpha,
                bitsPerSample: bits,
                channels: channels,
                data: $0
            )
        }
    }

    @Test("rows are kept without the gaps between them, and the last row needs none")
    func gaps() throws {
        let picture = try #require(Self.pixels(2, 2, stride: 8, count: 14))
        #expect(picture.bytes == [0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13])
        #expect(picture.channels == 3)
        let opaque = try #require(Self.pixels(1, 2, stride: 4, hasAlpha: true, channels: 4, count: 9))
        #expect(opaque.bytes == [0, 1, 2, 3, 4, 5, 6, 7])
    }

    @Test(
        "a mebibyte of pixels is kept as it is, and what is more becomes smaller",
        arguments: [
            [512, 512, 4, 512, 512], [512, 513, 4, 256, 256], [640, 640, 3, 320, 320], [4096, 4096, 4, 512, 512],
            [4096, 65, 4, 2048, 32], [65, 4096, 4, 32, 2048],
        ]
    )
    func size(numbers: [Int]) throws {
        let (width, height, channels) = (numbers[0], numbers[1], numbers[2])
        let row = width * channels
        let picture = try #require(
            Self.pixels(width, height, stride: row, hasAlpha: channels == 4, channels: channels, count: row * height)
        )
        #expect([picture.width, picture.height] == [numbers[3], numbers[4]])
        #expect(picture.bytes.count == picture.width * picture.height * channels)
    }

    @Test("a smaller picture has the means of its pixels, and pixels that nobody sees have no colour in it")
    func mean() throws {
        var bytes = [UInt8](repeating: 0, count: 1024 * 512 * 4)
        // The first square: two red pixels, a half-seen blue one, and a green one that nobody sees.
        bytes.replaceSubrange(0..<8, with: [255, 0, 0, 255, 255, 0, 0, 255])
        bytes.replaceSubrange(4096..<4104, with: [0, 0, 255, 127, 0, 255, 0, 0])
        let picture = try #require(
            bytes.withUnsafeBytes {
                BusPixels(
                    width: 1024,
                    height: 512,
                    rowStride: 4096,
                    hasAlpha: true,
                    bitsPerSample: 8,
                    channels: 4,
                    data: $0
                )
            }
        )
        #expect(Array(picture.bytes.prefix(8)) == [204, 0, 50, 159, 0, 0, 0, 0])
    }

    @Test(
        "numbers that do not fit are no picture",
        arguments: [
            [0, 1, 3, 8, 3, 9], [1, 0, 3, 8, 3, 9], [-1, 1, 3, 8, 3, 9], [1, -1, 3, 8, 3, 9], [2, 2, 5, 8, 3, 12],
            [2, 2, -6, 8, 3, 12], [2, 2, 6, 8, 3, 11], [2, 2, 7, 8, 3, 12], [2, 2, 6, 16, 3, 24], [2, 2, 6, 8, 4, 12],
            [1, 1, 3, 8, 1, 3], [Int(Int32.max), Int(Int32.max), Int(Int32.max), 8, 3, 12],
            [1, 4096, .max, 8, 3, 12], [4097, 1, 4097 * 3, 8, 3, 4097 * 3],
        ]
    )
    func lies(numbers: [Int]) {
        #expect(
            Self.pixels(
                numbers[0],
                numbers[1],
                stride: numbers[2],
                bits: numbers[3],
                channels: numbers[4],
                count: numbers[5]
            ) == nil
        )
    }
}
