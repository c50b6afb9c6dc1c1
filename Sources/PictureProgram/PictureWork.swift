import CVipsShim
import PictureWire

/// What is done with one picture.
enum PictureWork {
    /// The long edge of the pixels that a BlurHash is made of: it has four cosines along it.
    private static let hashEdge = 32

    static func result(of request: PictureRequest, on picture: [UInt8]) -> PictureResult {
        do {
            switch request.wish {
            case .header:
                return PictureResult(try header(of: picture))
            case .bilevelPNG(let width, let height):
                return try bilevelPNG(picture, width: width, height: height)
            case .encoded, .grey, .colour, .photo, .thumbnail:
                let claimed = try header(of: picture)
                // Two 32-bit factors fit into 64 bits.
                guard claimed.width * claimed.height <= request.pixelLimit else {
                    var refusal = PictureReply(.tooLarge)
                    (refusal.width, refusal.height) = (claimed.width, claimed.height)
                    return PictureResult(refusal)
                }
                return try decodedResult(of: request, on: picture, claimed.width)
            }
        } catch {
            return PictureResult(error.result)
        }
    }

    private static func decodedResult(
        of request: PictureRequest,
        on picture: [UInt8],
        _ width: Int
    ) throws(VipsFailure) -> PictureResult {
        switch request.wish {
        case .encoded(let quality, let maxWidth):
            return try encoded(picture, quality, maxWidth: min(maxWidth, width))
        case .grey(let side):
            return try grey(picture, side: side)
        case .colour(let side):
            let pixels = try DecodedPicture(picture, longEdge: side)
            return PictureResult(width: pixels.width, height: pixels.height, try pixels.bytes())
        case .photo(let byteLimit):
            let whole = try DecodedPicture(picture, longEdge: PictureRequest.edgeLimit)
            return try PhotoLadder.result(for: whole, within: byteLimit)
        case .thumbnail(let longEdge, let quality):
            return try thumbnail(picture, longEdge, quality)
        case .header, .bilevelPNG:
            // Nothing is decoded for these.
            throw VipsFailure(result: CVIPS_UNKNOWN_FORMAT)
        }
    }

    private static func header(of picture: [UInt8]) throws(VipsFailure) -> PictureReply {
        var header = CVipsHeader()
        try check(cvips_read_header(picture, picture.count, &header))
        var reply = PictureReply(.done)
        (reply.width, reply.height) = (Int(header.width), Int(header.height))
        reply.pages = max(1, Int(header.pages))
        return reply
    }

    private static func encoded(_ picture: [UInt8], _ quality: Int?, maxWidth: Int) throws(VipsFailure) -> PictureResult
    {
        var bytes: UnsafeMutablePointer<UInt8>?
        var (count, width, height) = (0, Int32(0), Int32(0))
        // 0 asks for a PNG.
        let wanted = Int32(quality ?? 0)
        try check(
            cvips_encode(picture, picture.count, Int32(maxWidth), wanted, &bytes, &count, &width, &height)
        )
        return PictureResult(width: Int(width), height: Int(height), VipsMemory(bytes, count: count))
    }

    private static func grey(_ picture: [UInt8], side: Int) throws(VipsFailure) -> PictureResult {
        var pixels: UnsafeMutablePointer<UInt8>?
        var (width, height) = (Int32(0), Int32(0))
        try check(cvips_decode_grey(picture, picture.count, Int32(side), &pixels, &width, &height))
        let bytes = VipsMemory(pixels, count: Int(width) * Int(height))
        return PictureResult(width: Int(width), height: Int(height), bytes)
    }

    private static func bilevelPNG(_ pixels: [UInt8], width: Int, height: Int) throws(VipsFailure) -> PictureResult {
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        try check(cvips_encode_bilevel_png(pixels, Int32(width), Int32(height), &bytes, &count))
        return PictureResult(width: width, height: height, VipsMemory(bytes, count: count))
    }

    private static func thumbnail(
        _ picture: [UInt8],
        _ longEdge: Int,
        _ quality: Int
    ) throws(VipsFailure) -> PictureResult {
        let thumbnail = try DecodedPicture(picture, longEdge: longEdge)
        let hash = try thumbnail.shrunk(to: min(hashEdge, longEdge)).blurHash()
        let jpeg = try thumbnail.jpeg(quality: quality)
        return PictureResult(width: thumbnail.width, height: thumbnail.height, text: hash?.text ?? "", jpeg)
    }

    private static func check(_ result: CVipsResult) throws(VipsFailure) {
        guard result == CVIPS_OK else { throw VipsFailure(result: result) }
    }
}
