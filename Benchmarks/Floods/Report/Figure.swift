import Foundation
import Kernel

/// One thing that was measured, beside what it may be at most.
struct Figure {
    let name: String
    let value: Double
    /// Nil for what is only shown.
    let bound: Double?
    let unit: String
    /// What was seen when the bound does not hold.
    var detail: String?

    init(_ name: String, _ value: Double, atMost bound: Double? = nil, _ unit: String = "", detail: String? = nil) {
        self.name = name
        self.value = value
        self.bound = bound
        self.unit = unit
        self.detail = detail
    }

    /// What was not measured meets no bound.
    var isMet: Bool { bound.map { value <= $0 } ?? true }

    var text: String {
        let shown = value.isFinite ? Self.number(value) : "-"
        guard let bound else { return shown }
        return "\(shown) / \(Self.number(bound))" + (isMet ? "" : " OVER")
    }

    private static func number(_ value: Double) -> String {
        let decimals = value != value.rounded() && value < 100 ? 1 : 0
        return value.formatted(.number.precision(.fractionLength(decimals)).locale(Locale(identifier: "en_US")))
    }

    var json: JSONValue {
        var members: [String: JSONValue] = ["name": .string(name), "unit": .string(unit), "met": .bool(isMet)]
        members["value"] = value.isFinite ? .number(value) : .null
        if let bound { members["bound"] = .number(bound) }
        if let detail { members["detail"] = .string(detail) }
        return .object(members)
    }
}
