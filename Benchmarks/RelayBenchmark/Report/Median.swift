import Foundation

extension [Double] {
    /// The middle value; NaN without any, which no goal is met by.
    var median: Double {
        guard !isEmpty else { return .nan }
        let sorted = sorted()
        let middle = count / 2
        return count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}

extension Double {
    /// With as many decimals as asked, and `-` for what was not measured.
    func text(_ decimals: Int = 0) -> String {
        isFinite ? formatted(.number.precision(.fractionLength(decimals)).locale(Locale(identifier: "en_US"))) : "-"
    }
}
