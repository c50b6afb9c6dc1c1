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

    @Test("a mebibyte of pixels is kept and one row more is not")
    func size() {
        #expect(Self.pixels(512, 512, stride: 2048, hasAlpha: true, channels: 4, count: 1 << 20) != nil)
        #expect(Self.pixels(512, 513, stride: 2048, hasAlpha: true, channels: 4, count: 513 * 2048) == nil)
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
