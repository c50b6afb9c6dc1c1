/// Makes photos small enough to send to a person, without what a camera wrote about place and time.
public protocol PhotoEncoder: Sendable {
    /// A JPEG of the first page, upright and without metadata. Its quality goes from 80 down to 20 in steps of 10 until it fits; where
    /// that is not enough, its long edge becomes 0.85 of what it was, and so on.
    ///
    /// - Parameters:
    ///   - byteLimit: The result has at most so many bytes. The smallest JPEG has a few hundred.
    ///   - pixelLimit: Width × height that is decoded at most, up to 64,000,000.
    /// - Throws: `PictureError`.
    func photo(_ picture: [UInt8], within byteLimit: Int, pixelLimit: Int) async throws -> EncodedPicture

    /// A JPEG of the first page, upright and without metadata, not enlarged.
    ///
    /// - Parameters:
    ///   - longEdge: Neither edge is longer, in pixels, 1 to 4096.
    ///   - pixelLimit: Width × height that is decoded at most, up to 64,000,000.
    /// - Throws: `PictureError`.
    func thumbnail(of picture: [UInt8], longEdge: Int, pixelLimit: Int) async throws -> PictureThumbnail
}
