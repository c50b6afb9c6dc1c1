import Pictures

/// The stories have none.
struct NoPictures: PhotoEncoder, PictureEncoder {
    func dimensions(of picture: [UInt8]) async throws -> PictureDimensions { throw PictureError.notAPicture }

    func encode(
        _ picture: [UInt8],
        as format: PictureFormat,
        quality: Int,
        maxWidth: Int?
    ) async throws -> EncodedPicture { throw PictureError.notAPicture }

    func photo(_ picture: [UInt8], within byteLimit: Int, pixelLimit: Int) async throws -> EncodedPicture {
        throw PictureError.notAPicture
    }

    func thumbnail(of picture: [UInt8], longEdge: Int, pixelLimit: Int) async throws -> PictureThumbnail {
        throw PictureError.notAPicture
    }
}
