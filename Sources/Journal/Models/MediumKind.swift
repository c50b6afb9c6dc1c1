/// What a medium is. An open set: a kind that this version has never heard of survives.
package struct MediumKind: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let image = MediumKind(rawValue: "image")
    package static let video = MediumKind(rawValue: "video")
    package static let audio = MediumKind(rawValue: "audio")
    /// A document, or a file of a type that is not known.
    package static let file = MediumKind(rawValue: "file")

    /// The folder below `Media`.
    var folder: String {
        switch self {
        case .image: "Images"
        case .video: "Videos"
        default: "Files"
        }
    }

    /// - Parameter name: A file's name, of which the ending decides.
    init(ofFile name: String) {
        let parts = name.split(separator: ".")
        switch parts.count > 1 ? parts.last?.lowercased() : nil {
        case "jpg", "jpeg", "png", "gif", "webp", "heic", "heif", "avif", "tif", "tiff", "bmp", "svg": self = .image
        case "mov", "mp4", "m4v", "webm", "mkv", "avi", "3gp": self = .video
        case "m4a", "mp3", "wav", "aac", "ogg", "oga", "opus", "flac", "caf", "amr": self = .audio
        default: self = .file
        }
    }
}
