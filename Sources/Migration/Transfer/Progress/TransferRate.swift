import Foundation

/// The time left, from durable bytes: the mean of a fast (5 s) and a slow (30 s) exponentially weighted rate, so that it neither jumps nor lags.
public struct TransferRate: Sendable {
    private static let fastSeconds = 5.0
    private static let slowSeconds = 30.0

    private var last: (bytes: Int64, at: ContinuousClock.Instant)?
    private var fast: Double?
    private var slow: Double?

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
        fast = Self.mean(fast, rate, seconds, over: Self.fastSeconds)
        slow = Self.mean(slow, rate, seconds, over: Self.slowSeconds)
        self.last = (bytes, now)
    }

    /// Forgets the last sample but not the rates: the time of a pause is no time of transfer.
    public mutating func pause() { last = nil }

    public var bytesPerSecond: Double? {
        guard let fast, let slow else { return nil }
        return (fast + slow) / 2
    }

    /// Nil until a rate is known, and while nothing moves.
    public func timeLeft(for bytes: Int64) -> Duration? {
        guard let bytesPerSecond, bytesPerSecond >= 1 else { return nil }
        return .seconds(min(Double(max(0, bytes)) / bytesPerSecond, 1e9))
    }

    private static func mean(_ old: Double?, _ rate: Double, _ seconds: Double, over span: Double) -> Double {
        guard let old else { return rate }
        return rate + (old - rate) * exp(-seconds / span)
    }
}
