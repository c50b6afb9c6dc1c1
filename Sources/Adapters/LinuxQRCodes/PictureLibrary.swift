import CVipsShim
import LinuxDesktopTools
import QRCodes

/// Decoding and encoding of pictures through libvips, in the ``PictureQueue``.
enum PictureLibrary {
    /// The size that the picture's header claims, before anything is decoded.
    static func size(of picture: [UInt8]) throws(QRError) -> PictureSize {
        var header = CVipsHeader()
        try check(cvips_read_header(picture, picture.count, &header))
        return PictureSize(width: Int(header.width), height: Int(header.height), pages: max(1, Int(header.pages)))
    }

    /// The first page, upright, with neither edge above `side`.
    static func decode(_ picture: [UInt8], side: Int) throws(QRError) -> GreyPicture {
        var pixels: UnsafeMutablePointer<UInt8>?
        var width: Int32 = 0
        var height: Int32 = 0
        try check(cvips_decode_grey(picture, picture.count, Int32(side), &pixels, &width, &height))
        defer { cvips_free(pixels) }
        let bytes = UnsafeBufferPointer(start: pixels, count: Int(width) * Int(height))
        return GreyPicture(width: Int(width), height: Int(height), pixels: Array(bytes))
    }

    static func encodePNG(_ picture: GreyPicture) throws(QRError) -> [UInt8] {
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        let (width, height) = (Int32(picture.width), Int32(picture.height))
        guard cvips_encode_bilevel_png(picture.pixels, width, height, &bytes, &count) == CVIPS_OK else {
            throw .cannotDraw(reason: PictureQueue.takeError())
        }
        defer { cvips_free(bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    private static func check(_ result: CVipsResult) throws(QRError) {
        switch result {
        case CVIPS_OK:
            return
        case CVIPS_UNKNOWN_FORMAT:
            _ = PictureQueue.takeError()
            throw .notAPicture
        case CVIPS_DAMAGED:
            throw .damagedPicture(reason: PictureQueue.takeError())
        default:
            throw .readerFailed(reason: PictureQueue.takeError())
        }
    }
}
