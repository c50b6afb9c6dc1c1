/// The sealed package as the old phone sends it, read by ranges in any order. The transfer knows nothing of what is inside.
public protocol PackageSource: Sendable {
    /// The bytes at `range`: all of them, and the same whenever the range is asked for, also after a restart. A source that can no longer give
    /// the same bytes throws; the owner then begins a transfer with a new id.
    func read(_ range: Range<Int64>) async throws -> [UInt8]
}
