#if os(macOS)
    import CoreGraphics
    import Foundation
    import ImageIO
    public import Remote

    /// Pictures scaled and written by ImageIO.
    public struct MacPictures: PictureEncoder {
        public init() {}

        public func dimensions(of picture: [UInt8]) async throws -> PictureDimensions {
            try Self.dimensions(of: try Self.source(picture))
        }

        public func encode(
            _ picture: [UInt8],
            as format: PictureFormat,
            quality: Int,
            maxWidth: Int?
        ) async throws -> EncodedPicture {
            let source = try Self.source(picture)
            let claimed = try Self.dimensions(of: source)
            let (pixels, isHuge) = claimed.width.multipliedReportingOverflow(by: claimed.height)
            guard !isHuge, pixels <= PictureError.pixelLimit else { throw PictureError.tooLarge(claimed) }
            // ImageIO limits the longer edge, ours is the width.
            let width = min(maxWidth ?? claimed.width, claimed.width)
            let edge = max(width, width * claimed.height / max(1, claimed.width))
            let options: [CFString: NSNumber] = [
                kCGImageSourceCreateThumbnailFromImageAlways: true,
                kCGImageSourceThumbnailMaxPixelSize: NSNumber(value: max(1, edge)),
            ]
            guard let image = CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary) else {
                throw PictureError.damaged(reason: "it cannot be decoded")
            }
            let data = NSMutableData()
            let type = (format == .png ? "public.png" : "public.jpeg") as CFString
            guard let target = CGImageDestinationCreateWithData(data, type, 1, nil) else {
                throw PictureError.notEncoded(reason: "ImageIO does not write \(format.rawValue)")
            }
            let properties: [CFString: NSNumber] = [
                kCGImageDestinationLossyCompressionQuality: NSNumber(value: Double(quality) / 100)
            ]
            CGImageDestinationAddImage(target, image, properties as CFDictionary)
            guard CGImageDestinationFinalize(target) else { throw PictureError.notEncoded(reason: "ImageIO gave up") }
            return EncodedPicture(
                bytes: Array(data as Data),
                format: format,
                dimensions: PictureDimensions(width: image.width, height: image.height)
            )
        }

        private static func source(_ picture: [UInt8]) throws(PictureError) -> CGImageSource {
            guard let source = CGImageSourceCreateWithData(Data(picture) as CFData, nil),
                CGImageSourceGetCount(source) > 0
            else { throw .notAPicture }
            return source
        }

        private static func dimensions(of source: CGImageSource) throws(PictureError) -> PictureDimensions {
            let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as NSDictionary?
            guard let width = properties?[kCGImagePropertyPixelWidth] as? Int,
                let height = properties?[kCGImagePropertyPixelHeight] as? Int
            else { throw .notAPicture }
            return PictureDimensions(width: width, height: height)
        }
    }
#endif
