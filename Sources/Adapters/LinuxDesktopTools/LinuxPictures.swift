import CVipsShim
package import Pictures

/// Pictures scaled and written by libvips.
package struct LinuxPictures: PictureEncoder {
    package init() {}

    package func dimensions(of picture: [UInt8]) async throws -> PictureDimensions {
        try await PictureQueue.run { () throws(PictureError) in try Self.dimensions(of: picture) }
    }

    package func encode(
        _ picture: [UInt8],
        as format: PictureFormat,
        quality: Int,
        maxWidth: Int?
    ) async throws -> EncodedPicture {
        try await PictureQueue.run { () throws(PictureError) in
            let claimed = try Self.dimensions(of: picture)
            let (pixels, isHuge) = claimed.width.multipliedReportingOverflow(by: claimed.height)
            guard !isHuge, pixels <= PictureError.pixelLimit else { throw .tooLarge(claimed) }
            var bytes: UnsafeMutablePointer<UInt8>?
            var (count, width, height) = (0, Int32(0), Int32(0))
            let limit = Int32(clamping: min(max(maxWidth ?? claimed.width, 1), claimed.width))
            // 0 asks for a PNG.
            let jpegQuality = format == .jpeg ? Int32(min(max(quality, 1), 100)) : 0
            let result = cvips_encode(picture, picture.count, limit, jpegQuality, &bytes, &count, &width, &height)
            try Self.check(result)
            defer { cvips_free(bytes) }
            return EncodedPicture(
                bytes: Array(UnsafeBufferPointer(start: bytes, count: count)),
                format: format,
                dimensions: PictureDimensions(width: Int(width), height: Int(height))
            )
        }
    }

    private static func dimensions(of picture: [UInt8]) throws(PictureError) -> PictureDimensions {
        var header = CVipsHeader()
        try check(cvips_read_header(picture, picture.count, &header))
        return PictureDimensions(width: Int(header.width), height: Int(header.height))
    }

    private static func check(_ result: CVipsResult) throws(PictureError) {
        switch result {
        case CVIPS_OK: return
        case CVIPS_UNKNOWN_FORMAT:
            _ = PictureQueue.takeError()
            throw .notAPicture
        case CVIPS_DAMAGED: throw .damaged(reason: PictureQueue.takeError())
        default: throw .notEncoded(reason: PictureQueue.takeError())
        }
    }
}
