/// A small picture, and what stands in its place until it is there.
public struct PictureThumbnail: Hashable, Sendable {
    /// A JPEG.
    public var picture: EncodedPicture
    /// The BlurHash of the picture, 4 × 3 components, 28 ASCII letters.
    public var blurHash: String

    public init(picture: EncodedPicture, blurHash: String) {
        self.picture = picture
        self.blurHash = blurHash
    }
}
