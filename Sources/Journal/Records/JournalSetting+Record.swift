package import Kernel

extension JournalSetting: JournalRecord {
    package static var kind: RecordKind { .settings }

    package init(reading reader: inout RecordReader) throws(JournalError) {
        self.init(
            key: try reader.identifier("key"),
            type: try reader.text("type", limit: 64),
            value: try reader.text("value", limit: JournalLimits.settingValue),
            updatedAt: try reader.moment("updatedAt")
        )
        extra = try reader.extra()
    }

    package var record: JSONValue {
        var writer = RecordWriter(extra)
        writer.set("key", key)
        writer.set("type", type)
        writer.set("value", value)
        writer.set("updatedAt", moment: updatedAt)
        return writer.json
    }
}
