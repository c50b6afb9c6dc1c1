/// How a picture is written. Raw values are the wire's.
public enum PictureFormat: String, Hashable, Sendable, CaseIterable {
    case png, jpeg

    package var mimeType: String { "image/\(rawValue)" }

    /// Nil for anything else, whatever its name says.
    package init?(signatureOf picture: [UInt8]) {
        if picture.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if picture.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else {
            return nil
        }
    }
}
