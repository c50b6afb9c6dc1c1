import Kernel

extension RemoteParameters {
    /// - Throws: ``RemoteFailure`` with -32602 unless it is absent or one of `Choice`'s texts.
    package func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String,
        of type: Choice.Type
    ) throws(RemoteFailure) -> Choice? {
        let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        guard has(name) else { return nil }
        guard let text = value[name]?.stringValue, let choice = Choice(rawValue: text) else {
            throw .badParameter(name, "one of \(names)")
        }
        return choice
    }

    /// - Throws: ``RemoteFailure`` with -32602 unless it is absent or a number in `range`.
    package func optionalNumber(_ name: String, in range: ClosedRange<Double>) throws(RemoteFailure) -> Double? {
        guard has(name) else { return nil }
        let number: Double? =
            switch value[name] {
            case .integer(let number)?: Double(number)
            case .number(let number)?: number
            default: nil
            }
        guard let number, range.contains(number) else {
            throw .badParameter(name, "a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
