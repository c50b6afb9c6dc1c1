import PictureWire
import Testing

@Suite("BlurHash")
struct BlurHashTests {
    /// A picture by its formula, and its hash of 4 × 3 components as the Python package `blurhash` 1.1.4 makes it.
    struct Vector: Sendable {
        let width: Int
        let height: Int
        let hash: String
        let color: @Sendable (_ x: Int, _ y: Int) -> [Int]
    }

    static let vectors = [
        Vector(width: 8, height: 6, hash: "LsTSUA_3fQ_3~qt7fQt7fQfQfQfQ") { _, _ in [255, 255, 255] },
        Vector(width: 8, height: 6, hash: "L00000fQfQfQfQfQfQfQfQfQfQfQ") { _, _ in [0, 0, 0] },
        Vector(width: 32, height: 24, hash: "LIFiuqTCFEo?wJa_a]fRdFe-fOe-") { x, y in
            [x * 37 % 256, y * 91 % 256, x * y * 13 % 256]
        },
        Vector(width: 32, height: 1, hash: "L~H2u[8Ux;Xj~p8Ux;Xj~p8Ux;Xj") { x, _ in [x * 8, 255 - x * 8, 128] },
        Vector(width: 20, height: 30, hash: "L~LjfL|TwtJro3n~jsa}fQfQfQfQ") { x, _ in
            x < 10 ? [255, 0, 0] : [0, 0, 255]
        },
    ]

    @Test("a picture has the hash that the reference implementation gives it", arguments: vectors)
    func reference(vector: Vector) throws {
        var pixels: [UInt8] = []
        for y in 0..<vector.height {
            for x in 0..<vector.width { pixels += vector.color(x, y).map { UInt8($0) } }
        }
        let hash = pixels.withUnsafeBufferPointer {
            BlurHash(width: vector.width, height: vector.height, pixels: $0)
        }
        #expect(hash?.text == vector.hash)
        #expect(BlurHash(vector.hash)?.text == vector.hash)
    }

    @Test(
        "pixels that are not as many as the edges say have no hash",
        arguments: [(0, 0, 0), (2, 2, 11), (2, 2, 13), (-1, -1, 3)]
    )
    func wrongPixels(width: Int, height: Int, count: Int) {
        let pixels = [UInt8](repeating: 0, count: count)
        #expect(pixels.withUnsafeBufferPointer { BlurHash(width: width, height: height, pixels: $0) } == nil)
    }

    @Test(
        "texts that are no hash of 4 × 3 components are refused",
        arguments: [
            "", "L00000fQfQfQfQfQfQfQfQfQfQf", "K00000fQfQfQfQfQfQfQfQfQfQfQ", "L00000fQfQfQfQfQfQfQfQfQfQf\"",
            "L00000fQfQfQfQfQfQfQfQfQfQfQf", "<script>alert(1)</script>...",
        ]
    )
    func malformed(text: String) {
        #expect(BlurHash(text) == nil)
    }
}
