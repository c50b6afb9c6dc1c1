/// The memory and swap of a computer, in bytes.
public struct MemoryFacts: Hashable, Sendable {
    /// All that the system manages.
    public var total: UInt64
    /// Memory that programs could still get, in bytes: caches count as free.
    public var available: UInt64
    /// Copies of files that are dropped when programs need the memory; part of ``available``.
    public var cached: UInt64
    /// 0 for a computer without swap.
    public var swapTotal: UInt64
    /// The part of ``swapTotal`` that is not in use.
    public var swapFree: UInt64

    public init(total: UInt64, available: UInt64, cached: UInt64, swapTotal: UInt64, swapFree: UInt64) {
        self.total = total
        self.available = available
        self.cached = cached
        self.swapTotal = swapTotal
        self.swapFree = swapFree
    }
}
