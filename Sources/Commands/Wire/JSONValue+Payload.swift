import Kernel

extension JSONValue {
    /// An envelope's payload, whichever of the two observed forms it has: an object, or a JSON text of one.
    var payloadObject: [String: JSONValue]? {
        switch self["payload"] {
        case .object(let members)?: members
        // Nil says it: not an object.
        case .string(let text)?: (try? JSONValue(parsing: text.utf8))?.objectValue
        default: nil
        }
    }
}
