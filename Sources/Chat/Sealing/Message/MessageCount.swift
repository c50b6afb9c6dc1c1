/// The counts of one device's messages in one conversation, as they are opened in the order of their places.
public struct MessageCount: Hashable, Sendable {
    /// What a count says about the messages before it.
    public enum Finding: Hashable, Sendable {
        /// The next one, or the first that is seen at all.
        case next
        /// So many before it did not come: withheld, sealed for other devices, or thrown away by their sender.
        case missing(Int64)
        /// One of those that were missing, later than its place says: the hub changed the order.
        case late
        /// One that was there already: the hub shows it twice.
        case repeated
    }

    /// Counts that are remembered as missing.
    private static let missingLimit = 256

    /// The greatest count that was seen; 0 for none.
    public private(set) var newest: Int64
    /// Counts below it that did not come, the greatest ones of them.
    public private(set) var missing: [Int64]

    public init(newest: Int64 = 0, missing: [Int64] = []) {
        self.newest = newest
        self.missing = Array(missing.suffix(Self.missingLimit))
    }

    /// Notes the count of a message that was opened for the first time.
    public mutating func note(_ count: Int64) -> Finding {
        guard count > newest else {
            guard let index = missing.firstIndex(of: count) else { return .repeated }
            missing.remove(at: index)
            return .late
        }
        let (first, gap) = (newest == 0, count - newest - 1)
        defer { newest = count }
        // What was sent before this device took part is nothing that it misses.
        guard !first, gap > 0 else { return .next }
        missing += (max(newest + 1, count - Int64(Self.missingLimit))..<count)
        missing = Array(missing.suffix(Self.missingLimit))
        return .missing(gap)
    }
}
