package import Kernel

extension Story: JournalRecord {
    package static var kind: RecordKind { .stories }

    package init(reading reader: inout RecordReader) throws(JournalError) {
        let createdAt = try reader.moment("createdAt")
        self.init(
            id: try reader.identifier("id"),
            title: try reader.textIfAny("title", limit: JournalLimits.title),
            content: try reader.textIfAny("content", limit: JournalLimits.content),
            plainText: try reader.textIfAny("plainTextContent", limit: JournalLimits.content),
            createdAt: createdAt,
            updatedAt: try reader.momentIfAny("updatedAt") ?? createdAt,
            happenedAt: try reader.momentIfAny("timestamp") ?? createdAt,
            isRemoved: try reader.flag("isDeleted"),
            syncStatus: try reader.scalar("syncStatus") ?? Story.unsynced,
            mood: try reader.textIfAny("mood"),
            locationName: try reader.textIfAny("locationName"),
            locationAddress: try reader.textIfAny("locationAddress", limit: JournalLimits.title),
            locationCity: try reader.textIfAny("locationCity"),
            place: try Self.place(&reader)
        )
        extra = try reader.extra()
    }

    /// Latitude and longitude 0 stand for no place only where no accuracy was measured; the Gulf of Guinea is a place.
    private static func place(_ reader: inout RecordReader) throws(JournalError) -> StoryPlace? {
        let (latitude, longitude) = (try reader.number("latitude"), try reader.number("longitude"))
        let horizontal = try reader.number("horizontalAccuracy") ?? -1
        let vertical = try reader.number("verticalAccuracy") ?? -1
        guard let latitude, let longitude else {
            guard latitude == nil, longitude == nil else { throw reader.wrong("latitude") }
            return nil
        }
        if horizontal < 0, latitude == 0, longitude == 0 { return nil }
        return StoryPlace(
            latitude: latitude,
            longitude: longitude,
            horizontalAccuracy: horizontal,
            verticalAccuracy: vertical
        )
    }

    package var record: JSONValue {
        var writer = RecordWriter(extra)
        writer.set("id", id)
        writer.set("title", title)
        writer.set("content", content)
        writer.set("plainTextContent", plainText)
        writer.set("createdAt", moment: createdAt)
        writer.set("updatedAt", moment: updatedAt)
        writer.set("timestamp", moment: happenedAt)
        writer.set("isDeleted", isRemoved)
        writer.set("syncStatus", syncStatus)
        writer.set("mood", mood)
        writer.set("locationName", locationName)
        writer.set("locationAddress", locationAddress)
        writer.set("locationCity", locationCity)
        writer.set("latitude", number: place?.latitude ?? 0)
        writer.set("longitude", number: place?.longitude ?? 0)
        writer.set("horizontalAccuracy", number: place?.horizontalAccuracy ?? -1)
        writer.set("verticalAccuracy", number: place?.verticalAccuracy ?? -1)
        return writer.json
    }

    package func appendText(to bytes: inout [UInt8]) {
        // Unknown members stand between the others, in the order of their bytes.
        guard extra.isEmpty else {
            bytes += record.canonicalBytes
            return
        }
        var text = RecordText(after: &bytes)
        text.add("content", content)
        text.add("createdAt", "createdAtMs", moment: createdAt)
        text.add("horizontalAccuracy", number: place?.horizontalAccuracy ?? -1)
        text.add("id", id)
        text.add("isDeleted", isRemoved)
        text.add("latitude", number: place?.latitude ?? 0)
        text.add("locationAddress", locationAddress)
        text.add("locationCity", locationCity)
        text.add("locationName", locationName)
        text.add("longitude", number: place?.longitude ?? 0)
        text.add("mood", mood)
        text.add("plainTextContent", plainText)
        text.add("syncStatus", syncStatus)
        text.add("timestamp", "timestampMs", moment: happenedAt)
        text.add("title", title)
        text.add("updatedAt", "updatedAtMs", moment: updatedAt)
        text.add("verticalAccuracy", number: place?.verticalAccuracy ?? -1)
        text.end(in: &bytes)
    }
}
