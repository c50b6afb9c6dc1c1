/// A picture as it will be sent, and what it really is.
public struct EncodedPicture: Hashable, Sendable {
    public var bytes: [UInt8]
    public var format: PictureFormat
    public var dimensions: PictureDimensions

    public init(bytes: [UInt8], format: PictureFormat, dimensions: PictureDimensions) {
        self.bytes = bytes
        self.format = format
        self.dimensions = dimensions
    }
}
