/// In bytes.
public struct MemoryFacts: Hashable, Sendable {
    public var total: UInt64
    /// What programs could still get: caches count as free.
    public var available: UInt64
    public var cached: UInt64
    public var swapTotal: UInt64
    public var swapFree: UInt64

    public init(total: UInt64, available: UInt64, cached: UInt64, swapTotal: UInt64, swapFree: UInt64) {
        self.total = total
        self.available = available
        self.cached = cached
        self.swapTotal = swapTotal
        self.swapFree = swapFree
    }
}
