import LinuxDesktopTesting
import LinuxQRCodes
import QRCodes
import Testing

@Suite("Drawing QR codes", .timeLimit(.minutes(4)))
struct PictureMakerTests {
    @Test("a PNG has the standard quiet zone and one bit a pixel")
    func header() async throws {
        let picture = try await Samples.png("a", modulePixels: 3)
        #expect(Array(picture.prefix(8)) == PNG.signature)
        // Width and height 87 = 3 × (21 + 2 × 4), then bit depth 1 and colour type 0, grey.
        #expect(Array(picture[16..<26]) == [0, 0, 0, 87, 0, 0, 0, 87, 1, 0])
    }

    @Test(
        "module sizes outside 1 to 32 pixels are brought into it",
        arguments: [(-5, 29), (0, 29), (33, 928), (9999, 928)]
    )
    func bounds(modulePixels: Int, edge: Int) async throws {
        let picture = try await Samples.png("a", modulePixels: modulePixels)
        #expect(Array(picture[18..<20]) == [UInt8(edge >> 8), UInt8(edge & 255)])
    }
}
