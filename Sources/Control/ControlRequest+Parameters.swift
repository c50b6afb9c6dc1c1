import Kernel

extension ControlRequest {
    /// - Throws: ``ControlError/badParameter(name:expected:)``.
    public func text(_ name: String) throws(ControlError) -> String {
        guard let value = params[name]?.stringValue else { throw .badParameter(name: name, expected: "a text") }
        return value
    }

    public func optionalText(_ name: String) throws(ControlError) -> String? {
        switch params[name] {
        case nil, .null: return nil
        case .string(let value): return value
        default: throw .badParameter(name: name, expected: "a text")
        }
    }

    public func flag(_ name: String) throws(ControlError) -> Bool {
        switch params[name] {
        case nil, .null: return false
        case .bool(let value): return value
        default: throw .badParameter(name: name, expected: "true or false")
        }
    }

    public func texts(_ name: String) throws(ControlError) -> [String] {
        let values = params[name]?.arrayValue?.map(\.stringValue)
        guard let values, !values.contains(nil) else { throw .badParameter(name: name, expected: "a list of texts") }
        return values.compactMap(\.self)
    }
}
