import Pictures

/// A reader of pictures that takes what begins with a C for one.
struct LetterPhotos: PhotoEncoder {
    func photo(_ picture: [UInt8], within byteLimit: Int, pixelLimit: Int) async throws -> EncodedPicture {
        throw PictureError.notAPicture
    }

    func thumbnail(of picture: [UInt8], longEdge: Int, pixelLimit: Int) async throws -> PictureThumbnail {
        guard picture.first == UInt8(ascii: "C") else { throw PictureError.notAPicture }
        let size = PictureDimensions(width: longEdge, height: longEdge)
        let picture = EncodedPicture(bytes: [0xFF, 0xD8, 0xFF, 0xD9], format: .jpeg, dimensions: size)
        return PictureThumbnail(picture: picture, blurHash: "LEHV6nWB2yk8pyo0adR*.7kCMdnj")
    }
}
