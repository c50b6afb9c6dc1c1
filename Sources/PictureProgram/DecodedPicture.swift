import CVipsShim
import PictureWire

/// A picture's pixels in memory: upright, red, green and blue of sRGB, without metadata.
struct DecodedPicture: ~Copyable {
    private let pixels: OpaquePointer

    /// - Parameter longEdge: Larger pictures are shrunk on the way.
    init(_ picture: [UInt8], longEdge: Int) throws(VipsFailure) {
        var pixels: OpaquePointer?
        let result = cvips_decode(picture, picture.count, Int32(longEdge), &pixels)
        guard result == CVIPS_OK, let pixels else { throw VipsFailure(result: result) }
        self.pixels = pixels
    }

    private init(shrinking larger: OpaquePointer, to longEdge: Int) throws(VipsFailure) {
        var pixels: OpaquePointer?
        let result = cvips_shrink(larger, Int32(longEdge), &pixels)
        guard result == CVIPS_OK, let pixels else { throw VipsFailure(result: result) }
        self.pixels = pixels
    }

    deinit { cvips_release(pixels) }

    var width: Int { Int(cvips_width(pixels)) }
    var height: Int { Int(cvips_height(pixels)) }

    borrowing func shrunk(to longEdge: Int) throws(VipsFailure) -> DecodedPicture {
        try DecodedPicture(shrinking: pixels, to: longEdge)
    }

    borrowing func jpeg(quality: Int) throws(VipsFailure) -> VipsMemory {
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        let result = cvips_encode_jpeg(pixels, Int32(quality), &bytes, &count)
        guard result == CVIPS_OK else { throw VipsFailure(result: result) }
        return VipsMemory(bytes, count: count)
    }

    /// A copy of the pixels, three bytes each, row by row without padding.
    borrowing func bytes() throws(VipsFailure) -> VipsMemory {
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        let result = cvips_copy_bytes(pixels, &bytes, &count)
        guard result == CVIPS_OK else { throw VipsFailure(result: result) }
        return VipsMemory(bytes, count: count)
    }

    borrowing func blurHash() -> BlurHash? {
        let bytes = UnsafeBufferPointer(start: cvips_bytes(pixels), count: width * height * 3)
        return BlurHash(width: width, height: height, pixels: bytes)
    }
}
