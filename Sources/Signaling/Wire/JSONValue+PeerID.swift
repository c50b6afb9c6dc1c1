package import Kernel

extension JSONValue {
    /// A device's id. Some programs register a number, whose digits are then the id.
    var peerID: String? {
        switch self {
        case .string(let text): text.isEmpty ? nil : text
        case .integer(let number): String(number)
        default: nil
        }
    }

    /// The object without the members whose value is nil.
    package static func object(compacting members: [String: JSONValue?]) -> JSONValue {
        .object(members.compactMapValues { $0 })
    }
}
