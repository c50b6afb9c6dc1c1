package import Pictures
import Synchronization

/// Pictures of which only the header is real: a signature, width and height; the rest is as long as its area asks for.
package final class InMemoryPictures: PictureEncoder {
    package let bytesPerPixel: [PictureFormat: Double]
    private let asked = Mutex<[String]>([])

    package init(png: Double = 1, jpeg: Double = 0.1) { bytesPerPixel = [.png: png, .jpeg: jpeg] }

    /// What was encoded, in order, for example `png 640`.
    package var encodings: [String] { asked.withLock(\.self) }

    package func picture(_ format: PictureFormat = .png, width: Int, height: Int) -> [UInt8] {
        let signature: [UInt8] =
            format == .png ? [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] : [0xFF, 0xD8, 0xFF, 0, 0, 0, 0, 0]
        let size = [width, height].flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        let rest = Int(Double(width * height) * (bytesPerPixel[format] ?? 1))
        return signature + size + [UInt8](repeating: 0, count: rest)
    }

    package func dimensions(of picture: [UInt8]) async throws -> PictureDimensions {
        guard picture.count >= 12, picture[0] == 0x89 || picture[0] == 0xFF else { throw PictureError.notAPicture }
        return PictureDimensions(
            width: Int(picture[8]) << 8 | Int(picture[9]),
            height: Int(picture[10]) << 8 | Int(picture[11])
        )
    }

    package func encode(
        _ picture: [UInt8],
        as format: PictureFormat,
        quality: Int,
        maxWidth: Int?
    ) async throws -> EncodedPicture {
        let size = try await dimensions(of: picture)
        let width = min(maxWidth ?? size.width, size.width)
        let height = max(1, size.height * width / size.width)
        asked.withLock { $0.append("\(format.rawValue) \(width)") }
        return EncodedPicture(
            bytes: self.picture(format, width: width, height: height),
            format: format,
            dimensions: PictureDimensions(width: width, height: height)
        )
    }
}
