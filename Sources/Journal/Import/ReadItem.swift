/// An item of an import that was read, or why it could not be.
struct ReadItem: Sendable {
    /// Items that are in memory at a time.
    private static let countLimit = 2000
    /// Bytes of texts that are in memory at a time, beside the item that goes over it.
    private static let byteLimit = 8 << 20

    var name: String
    var result: Result<ImportedItem, any Error>

    /// The media of a story, or one that no story shows.
    var media: [ImportedMedium] {
        switch result {
        case .success(.story(let story)): story.media
        case .success(.medium(let medium)): [medium]
        case .failure: []
        }
    }

    /// Reads the first of these, as many as fit. Waits for the disk.
    static func some(of steps: ArraySlice<ImportStep>) -> [ReadItem] {
        var (items, bytes) = ([ReadItem](), 0)
        for step in steps.prefix(countLimit) where bytes < byteLimit {
            let item = ReadItem(name: step.name, result: Result { try step.read() })
            if case .success(.story(let story)) = item.result { bytes += story.story.content?.utf8.count ?? 0 }
            items.append(item)
        }
        return items
    }
}
