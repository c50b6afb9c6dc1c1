/// In bytes.
package struct MemoryFacts: Hashable, Sendable {
    package var total: UInt64
    /// What programs could still get: caches count as free.
    package var available: UInt64
    package var cached: UInt64
    package var swapTotal: UInt64
    package var swapFree: UInt64

    package init(total: UInt64, available: UInt64, cached: UInt64, swapTotal: UInt64, swapFree: UInt64) {
        self.total = total
        self.available = available
        self.cached = cached
        self.swapTotal = swapTotal
        self.swapFree = swapFree
    }
}
