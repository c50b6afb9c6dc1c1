import Foundation

/// Figures of one thing, measured again and again.
package struct Sample: Sendable {
    package var values: [Double]

    package init(_ values: [Double] = []) { self.values = values }

    package var median: Double { percentile(50) }

    /// NaN without any, which no goal is met by.
    package func percentile(_ percent: Double) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return .nan }
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * percent / 100))]
    }
}

/// Seconds that `work` takes.
package func seconds(_ work: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await work()
    return (ContinuousClock.now - start) / .seconds(1)
}

extension Double {
    /// As text with so many decimals.
    package func fixed(_ decimals: Int = 0) -> String { String(format: "%.\(decimals)f", self) }
}
