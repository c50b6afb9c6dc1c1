import Blobs
import Transfers

extension FuzzTarget {
    /// The part of a file that a browser asks for: inside of the file and not empty, or none.
    static let byteRange = FuzzTarget(name: "byte-range") { bytes in
        guard let field = ByteRangeField(String(decoding: bytes, as: UTF8.self)) else { return }
        for size in [0, 1, 499, 1 << 50, .max] as [Int64] {
            guard let range = field.range(of: size) else { continue }
            guard !range.isEmpty, range.lowerBound >= 0, range.upperBound <= size else {
                finding("a part that lies outside of its file")
            }
        }
    }

    /// The body of a form: its parts are the same however it is cut, and none has a boundary in it.
    static let formBody = FuzzTarget(name: "form-body") { bytes in
        guard let first = bytes.first else { return }
        let body = Array(bytes.dropFirst())
        let whole = parts(of: body, step: max(1, body.count))
        guard whole == parts(of: body, step: Int(first) + 1) else { finding("cutting the form changes its parts") }
        for part in whole ?? [] where String(decoding: part, as: Unicode.ASCII.self).contains("\r\n--b") {
            finding("a boundary in a part")
        }
    }

    /// The head of a form's part and of a media file: whatever they hold, a type and a size come out of it that are in bounds.
    static let mediaFile = FuzzTarget(name: "media-file") { bytes in
        guard let type = MediaType(sniffing: bytes) else { return }
        guard let size = try? PictureSize.read(FuzzedFile(bytes: bytes), type) else { return }
        guard type.isPicture, (1...65_535).contains(size.width), (1...65_535).contains(size.height) else {
            finding("a picture of no size")
        }
    }

    /// A blob's key: what is taken leads to one file below the folder, and is written as it was read.
    static let blobKey = FuzzTarget(name: "blob-key") { bytes in
        guard let text = String(validating: bytes, as: UTF8.self), let key = BlobKey(text) else { return }
        guard key.description == text, key.parts.count > 4 else { finding("a key that changes") }
        for part in key.parts where part.isEmpty || part.hasPrefix(".") || part.contains("_") || part.utf8.contains(0) {
            finding("a part of a key that is no name")
        }
    }

    /// The content of each part; nil for what is no form.
    private static func parts(of body: [UInt8], step: Int) -> [[UInt8]]? {
        guard var reader = MultipartReader(contentType: "multipart/form-data; boundary=b") else { return nil }
        var parts: [[UInt8]] = []
        do {
            for start in stride(from: 0, to: body.count, by: step) {
                for event in try reader.take(Array(body[start..<min(body.count, start + step)])) {
                    switch event {
                    case .begin: parts.append([])
                    case .bytes(let bytes): parts[parts.count - 1] += bytes
                    case .end: break
                    }
                }
            }
        } catch {
            return nil
        }
        return reader.isAtEnd ? parts : nil
    }
}

/// An input as a file.
private struct FuzzedFile: ReadableFile {
    let bytes: [UInt8]

    func status() throws(FileError) -> FileStatus {
        let time = FileTime(seconds: 0)
        return FileStatus(
            kind: .file,
            size: Int64(bytes.count),
            modified: time,
            accessed: time,
            created: nil,
            permissions: 0o600,
            inode: 1,
            device: 1
        )
    }

    func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
        guard offset >= 0, offset < bytes.count else { return [] }
        return Array(bytes[Int(offset)...].prefix(count))
    }
}
