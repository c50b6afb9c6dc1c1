package import Kernel

extension StoryCategory: JournalRecord {
    package static var kind: RecordKind { .relations }

    package init(reading reader: inout RecordReader) throws(JournalError) {
        self.init(storyId: try reader.identifier("storyId"), categoryId: try reader.identifier("categoryId"))
        extra = try reader.extra()
    }

    package var record: JSONValue {
        var writer = RecordWriter(extra)
        writer.set("storyId", storyId)
        writer.set("categoryId", categoryId)
        return writer.json
    }

    package func appendText(to bytes: inout [UInt8]) {
        guard extra.isEmpty else {
            bytes += record.canonicalBytes
            return
        }
        var text = RecordText(after: &bytes)
        text.add("categoryId", categoryId)
        text.add("storyId", storyId)
        text.end(in: &bytes)
    }
}
