/// Scales pictures down and writes them anew.
package protocol PictureEncoder: Sendable {
    /// What the picture's header claims, before anything is decoded.
    ///
    /// - Throws: ``PictureError``.
    func dimensions(of picture: [UInt8]) async throws -> PictureDimensions

    /// - Parameters:
    ///   - quality: Of a JPEG, 1 to 100.
    ///   - maxWidth: Narrower pictures stay as they are.
    /// - Throws: ``PictureError``, also for a picture whose header claims more than ``PictureError/pixelLimit``.
    func encode(
        _ picture: [UInt8],
        as format: PictureFormat,
        quality: Int,
        maxWidth: Int?
    ) async throws -> EncodedPicture
}
