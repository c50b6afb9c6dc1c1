/// Counts of wrong frames against one code, by sender. They are no guesses, since the secret is not in them. A sender that
/// goes on with them is ignored, and the other senders notice nothing.
struct WrongTries: Sendable {
    static let allowed = 5
    private static let senders = 64

    private var counts: [String: Int] = [:]
    /// The count of all senders together.
    private(set) var total = 0

    /// - Returns: Whether the sender has just reached the limit.
    mutating func note(_ sender: String?) -> Bool {
        let sender = sender ?? ""
        total = min(total + 1, 1_000)
        // Anyone can make ids, so a flood of new ones replaces old counts and takes no more room.
        if counts[sender] == nil, counts.count >= Self.senders, let old = counts.keys.first { counts[old] = nil }
        let count = min(counts[sender, default: 0] + 1, Self.allowed + 1)
        counts[sender] = count
        return count == Self.allowed
    }

    func isOver(_ sender: String?) -> Bool { counts[sender ?? "", default: 0] >= Self.allowed }
}
