/// What an entry of a package's archive holds.
enum EntryContent: Hashable, Sendable {
    case bytes([UInt8])
    /// By its place among the plan's tables.
    case records(Int)
    case fileList
    /// By its place among the plan's files.
    case file(Int)
    /// By its place among the plan's files of sections.
    case sectionFile(Int)
}
