import PictureWire

/// The steps by which a photo is made to fit: its quality first, then its size.
enum PhotoLadder {
    /// JPEG qualities, best first.
    private static let qualities = [80, 70, 60, 50, 40, 30, 20]
    /// The long edge of each size beside the one before, where the lowest quality did not fit.
    private static let shrinking = 0.85

    /// The largest size of a picture that fits, in the best quality that does.
    ///
    /// - Parameter limit: In bytes.
    static func result(for picture: borrowing DecodedPicture, within limit: Int) throws(VipsFailure) -> PictureResult {
        if let result = try best(of: picture, within: limit) { return result }
        var edge = max(picture.width, picture.height)
        while edge > 1 {
            edge = max(1, min(edge - 1, Int(Double(edge) * shrinking)))
            if let result = try best(of: try picture.shrunk(to: edge), within: limit) { return result }
        }
        return PictureResult(PictureReply(.doesNotFit))
    }

    /// Finds the first quality that fits, without trying those whose outcome is known: a lower quality has no more bytes.
    private static func best(
        of picture: borrowing DecodedPicture,
        within limit: Int
    ) throws(VipsFailure) -> PictureResult? {
        var best = VipsMemory(nil, count: 0)
        // Indices of the last quality that is too large, and of the first that is known to fit.
        var (tooLarge, fitting) = (-1, qualities.count)
        var next = 0
        while tooLarge + 1 < fitting {
            let jpeg = try picture.jpeg(quality: qualities[next])
            if jpeg.count <= limit {
                best = jpeg
                fitting = next
            } else {
                tooLarge = next
            }
            // The lowest quality says whether this size fits at all.
            next = fitting == qualities.count ? qualities.count - 1 : (tooLarge + fitting) / 2
        }
        guard fitting < qualities.count else { return nil }
        return PictureResult(width: picture.width, height: picture.height, best)
    }
}
