/// What became of what was imported.
package struct ImportReport: Hashable, Sendable {
    /// An item that was left out, and why. The others came in.
    package struct Problem: Hashable, Sendable {
        /// A file's name, or an entry's id.
        package var item: String
        /// A sentence.
        package var reason: String
    }

    package var format: ImportFormat
    package var added = 0
    /// Stories that were here in an older form.
    package var updated = 0
    /// Stories that were here in this form or a newer one.
    package var unchanged = 0
    package var addedMedia = 0
    package var unchangedMedia = 0
    /// At most ``JournalLimits/problems`` of ``problemCount``.
    package var problems: [Problem] = []
    package var problemCount = 0

    mutating func note(_ item: String, _ error: any Error) {
        problemCount += 1
        guard problems.count < JournalLimits.problems else { return }
        problems.append(Problem(item: item, reason: "\(error)"))
    }
}
