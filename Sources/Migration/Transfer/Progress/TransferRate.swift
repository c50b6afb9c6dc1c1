import Foundation

/// The time left, from durable bytes: the mean of a fast (5 s) and a slow (30 s) exponentially weighted rate, so that it neither jumps nor lags. Each is
/// a mean over what was measured so far: a first sample, which is a chunk or a silence of milliseconds, weighs no more than its time.
public struct TransferRate: Sendable {
    private static let fastSeconds = 5.0
    private static let slowSeconds = 30.0
    /// Seconds before which nothing is said.
    private static let leastSeconds = 1.0

    private var last: (bytes: Int64, at: ContinuousClock.Instant)?
    private var fast = 0.0
    private var slow = 0.0
    /// Seconds that were measured.
    private var elapsed = 0.0

    public init() {}

    /// - Parameter bytes: All that is durable so far. A smaller number than before starts anew.
    public mutating func record(_ bytes: Int64, at now: ContinuousClock.Instant) {
        guard let last, bytes >= last.bytes else {
            self.last = (bytes, now)
            return
        }
        let seconds = (now - last.at) / .seconds(1)
        guard seconds > 0 else { return }
        let rate = Double(bytes - last.bytes) / seconds
        fast = rate + (fast - rate) * exp(-seconds / Self.fastSeconds)
        slow = rate + (slow - rate) * exp(-seconds / Self.slowSeconds)
        elapsed += seconds
        self.last = (bytes, now)
    }

    /// Forgets the last sample but not the rates: the time of a pause is no time of transfer.
    public mutating func pause() { last = nil }

    /// Nil until a second was measured.
    public var bytesPerSecond: Double? {
        guard elapsed >= Self.leastSeconds else { return nil }
        // The part of the weights that time before the first sample would have is taken out.
        return (fast / (1 - exp(-elapsed / Self.fastSeconds)) + slow / (1 - exp(-elapsed / Self.slowSeconds))) / 2
    }

    /// Nil until a rate is known, and while nothing moves.
    public func timeLeft(for bytes: Int64) -> Duration? {
        guard let bytesPerSecond, bytesPerSecond >= 1 else { return nil }
        return .seconds(min(Double(max(0, bytes)) / bytesPerSecond, 1e9))
    }
}
