/// Makes a picture fit into an answer: as asked if it can be, else as a JPEG, else smaller.
package struct PictureFitter: Sendable {
    package struct Wish: Hashable, Sendable {
        package var format = PictureFormat.png
        package var quality = 80
        package var maxWidth: Int?
        /// False where only ``format`` will do, as on a clipboard.
        package var mayBecomeJPEG = true

        package init(
            format: PictureFormat = .png,
            quality: Int = 80,
            maxWidth: Int? = nil,
            mayBecomeJPEG: Bool = true
        ) {
            self.format = format
            self.quality = quality
            self.maxWidth = maxWidth
            self.mayBecomeJPEG = mayBecomeJPEG
        }
    }

    /// In pixels. A narrower picture cannot be recognized.
    private static let smallestWidth = 64
    private static let attemptLimit = 8

    package let encoder: any PictureEncoder

    package init(encoder: any PictureEncoder) {
        self.encoder = encoder
    }

    /// - Returns: The picture, and what it measured before.
    /// - Throws: ``PictureError``.
    package func fit(_ picture: [UInt8], _ wish: Wish, within limit: Int) async throws
        -> (picture: EncodedPicture, original: PictureDimensions)
    {
        let original = try await encoder.dimensions(of: picture)
        let asIs = PictureFormat(signatureOf: picture) == wish.format && wish.format == .png
        if asIs, picture.count <= limit, original.width <= wish.maxWidth ?? .max {
            return (EncodedPicture(bytes: picture, format: .png, dimensions: original), original)
        }
        var format = wish.format
        var width = min(wish.maxWidth ?? original.width, original.width)
        for _ in 0..<Self.attemptLimit {
            let encoded = try await encoder.encode(picture, as: format, quality: wish.quality, maxWidth: width)
            if encoded.bytes.count <= limit { return (encoded, original) }
            if format == .png, wish.mayBecomeJPEG {
                format = .jpeg
                continue
            }
            guard width > Self.smallestWidth else { break }
            // Bytes go with the area; a little less, so that the next attempt is the last.
            let factor = (Double(limit) / Double(encoded.bytes.count)).squareRoot() * 0.92
            width = max(Self.smallestWidth, Int(Double(width) * min(factor, 0.9)))
        }
        throw PictureError.doesNotFit(bytes: limit)
    }
}
