/// A picture as it will be sent, and what it really is.
package struct EncodedPicture: Hashable, Sendable {
    package var bytes: [UInt8]
    package var format: PictureFormat
    package var dimensions: PictureDimensions

    package init(bytes: [UInt8], format: PictureFormat, dimensions: PictureDimensions) {
        self.bytes = bytes
        self.format = format
        self.dimensions = dimensions
    }
}
