import Kernel

/// The form of an export that this program reads again: `journal.json`, Markdown for people, and media as they were.
enum PlainForm {
    static let fileName = "journal.json"
    static let name = "tandem-journal"
    static let version: Int64 = 1

    /// A medium's record without what belongs to its encrypted files, and with the path of its file in the export.
    static func record(of medium: Medium, file: String?) -> JSONValue {
        var medium = medium
        (medium.sha256, medium.thumbnailSHA256, medium.thumbnailSize) = (nil, nil, nil)
        (medium.crc32, medium.thumbnailCRC32) = (nil, nil)
        return file.map { medium.record.adding("file", .string($0)) } ?? medium.record
    }

    /// Where a medium's file is in an export.
    static func file(of medium: Medium) -> String? { medium.path.map { "media/\($0.text)" } }
}
