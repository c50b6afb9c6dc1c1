/// Bounds of what a computer takes and gives of threads. Source: `docs/protocol.md`, "Threads".
public enum ThreadLimits {
    /// Threads of one list.
    public static let list: ClosedRange<Int64> = 1...200
    /// Items of one page.
    public static let page: ClosedRange<Int64> = 1...200
    /// Hits of one search.
    public static let hits: ClosedRange<Int64> = 1...100
    /// UTF-8 bytes of one text in a page or an event.
    public static let pageText = 16 << 10
    /// Bytes of one page's items as JSON.
    public static let pageBytes = 384 << 10
    /// UTF-8 bytes of a prompt.
    public static let prompt = 64 << 10
    /// Bytes of all attachments of a prompt together.
    public static let attachments = 512 << 10
    /// Attachments of one prompt.
    public static let attachmentCount = 16
    /// UTF-8 bytes of what is searched for.
    public static let query = 2000
    /// UTF-8 bytes of an id, a cursor or an agent's word.
    public static let name = 400
    /// UTF-8 bytes of a path.
    public static let path = 4096
    /// Bytes of an image that is asked for.
    public static let image = 512 << 10
}
