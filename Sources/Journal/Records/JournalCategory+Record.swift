package import Kernel

extension JournalCategory: JournalRecord {
    package static var kind: RecordKind { .categories }

    package init(reading reader: inout RecordReader) throws(JournalError) {
        self.init(
            id: try reader.identifier("id"),
            name: try reader.text("name"),
            nameEn: try reader.textIfAny("nameEn"),
            colorHex: try reader.textIfAny("colorHex", limit: 32) ?? "#007AFF",
            level: Int(try reader.integer("level", default: 1, in: 0...1_000_000)),
            parentId: try reader.identifierIfAny("parentId"),
            iconName: try reader.textIfAny("iconName") ?? "folder",
            iconType: try reader.textIfAny("iconType", limit: 64) ?? "system",
            customIcon: try reader.bytes("customIconData", limit: JournalLimits.icon),
            sortOrder: try reader.integer("sortOrder", default: 0),
            createdAt: try reader.moment("createdAt")
        )
        extra = try reader.extra()
    }

    package var record: JSONValue {
        var writer = RecordWriter(extra)
        writer.set("id", id)
        writer.set("name", name)
        writer.set("nameEn", nameEn)
        writer.set("colorHex", colorHex)
        writer.set("level", Int64(level))
        writer.set("parentId", parentId)
        writer.set("iconName", iconName)
        writer.set("iconType", iconType)
        writer.set("customIconData", bytes: customIcon)
        writer.set("sortOrder", sortOrder)
        writer.set("createdAt", moment: createdAt)
        return writer.json
    }
}
