public import Kernel

extension MessagePayload {
    /// The member of a custom payload that this version has no name for; nil where it is missing, and of a text.
    public func member(_ key: String) -> JSONValue? {
        switch self {
        case .image(let payload): payload.others[key]
        case .flashImage(let payload): payload.others[key]
        case .multiImage(let payload): payload.others[key]
        case .voice(let payload): payload.others[key]
        default: nil
        }
    }

    /// With a member beside those that this version has names for; what carries no files stays as it is.
    public func adding(_ key: String, _ value: JSONValue) -> MessagePayload {
        switch self {
        case .image(var payload):
            payload.others[key] = value
            return .image(payload)
        case .flashImage(var payload):
            payload.others[key] = value
            return .flashImage(payload)
        case .multiImage(var payload):
            payload.others[key] = value
            return .multiImage(payload)
        case .voice(var payload):
            payload.others[key] = value
            return .voice(payload)
        default: return self
        }
    }
}
