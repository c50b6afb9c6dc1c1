import CJPEG
import Pictures
import ScreenHost

/// A reader whose pictures libjpeg writes. They are this program's own pixels: what other people's pictures are read with is in a process of its own.
protocol JPEGScreenReader: ScreenReader {}

extension JPEGScreenReader {
    func jpeg(
        _ pixels: UnsafeBufferPointer<UInt32>,
        _ size: PictureDimensions,
        quality: Int,
        isSharp: Bool,
        within limit: Int
    ) throws(ScreenReaderError) -> [UInt8]? {
        guard let base = pixels.baseAddress, pixels.count >= size.width * size.height else { throw .failed }
        var written = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            written = tandem_jpeg_write(
                base,
                Int32(clamping: size.width),
                Int32(clamping: size.height),
                Int32(clamping: quality),
                isSharp ? 1 : 0,
                buffer.baseAddress,
                limit
            )
            count = max(0, written)
        }
        guard written >= 0 else { throw .failed }
        // What is kept of it for long is as large as it is.
        return written == 0 ? nil : Array(bytes[0..<written])
    }
}
