package import Kernel

extension Medium: JournalRecord {
    package static var kind: RecordKind { .media }

    package init(reading reader: inout RecordReader) throws(JournalError) {
        let id = try reader.identifier("id")
        guard let fileName = try reader.fileName("fileName") else { throw reader.wrong("fileName") }
        self.init(
            id: id,
            kind: MediumKind(rawValue: try reader.text("type", limit: 64)),
            fileName: fileName,
            thumbnailFileName: try reader.fileName("thumbnailFileName"),
            keyId: try reader.identifier("encryptionKeyId"),
            fileSize: try reader.integer("fileSize", default: 0, in: 0...Int64.max),
            width: try reader.integer("width", default: 0, in: 0...Int64(Int32.max)),
            height: try reader.integer("height", default: 0, in: 0...Int64(Int32.max)),
            duration: try reader.number("duration") ?? 0,
            createdAt: try reader.moment("createdAt"),
            storyId: try reader.identifierIfAny("storyId"),
            path: try reader.path("relativePath"),
            thumbnailPath: try reader.path("thumbnailRelativePath"),
            sha256: try reader.digest("sha256"),
            crc32: try reader.checksum("crc32"),
            thumbnailSize: try reader.integer("thumbnailFileSize", default: -1, in: -1...Int64.max),
            thumbnailSHA256: try reader.digest("thumbnailSha256"),
            thumbnailCRC32: try reader.checksum("thumbnailCrc32")
        )
        if thumbnailSize == -1 { thumbnailSize = nil }
        extra = try reader.extra()
    }

    package var record: JSONValue {
        var writer = RecordWriter(extra)
        writer.set("id", id)
        writer.set("type", kind.rawValue)
        writer.set("fileName", fileName)
        writer.set("thumbnailFileName", thumbnailFileName)
        writer.set("encryptionKeyId", keyId)
        writer.set("fileSize", fileSize)
        writer.set("width", width)
        writer.set("height", height)
        writer.set("duration", number: duration)
        writer.set("createdAt", moment: createdAt)
        writer.set("storyId", storyId)
        writer.set("relativePath", path?.text)
        writer.set("thumbnailRelativePath", thumbnailPath?.text)
        writer.set("sha256", sha256)
        writer.set("crc32", crc32.map { Int64($0) })
        writer.set("thumbnailFileSize", thumbnailSize)
        writer.set("thumbnailSha256", thumbnailSHA256)
        writer.set("thumbnailCrc32", thumbnailCRC32.map { Int64($0) })
        return writer.json
    }
}
