/// Which stories a list has.
struct StoryQuery: Hashable, Sendable {
    /// A place in a list by time, the newest first: the next page begins behind it.
    struct Place: Hashable, Sendable {
        var happenedAt: Int64
        var number: Int64

        init(happenedAt: Int64, number: Int64) {
            self.happenedAt = happenedAt
            self.number = number
        }

        /// - Parameter text: As ``text``.
        init?(_ text: String) {
            let parts = text.split(separator: "-", omittingEmptySubsequences: false).suffix(2)
            // A time before 1970 begins with the same sign.
            guard let last = parts.last, let number = Int64(last),
                let time = Int64(text.dropLast(last.utf8.count + 1))
            else { return nil }
            self.init(happenedAt: time, number: number)
        }

        var text: String { "\(happenedAt)-\(number)" }
    }

    /// Words to be found, all of them; nil for all stories.
    var words: String?
    /// Only stories in one of these.
    var categories: [String]?
    /// Milliseconds since 1970, the first that counts.
    var from: Int64?
    /// Milliseconds since 1970, the first that does not count any more.
    var until: Int64?
    /// Only removed stories, or only those that are not.
    var isRemoved = false
    var before: Place?
    var limit = 50
}
