import Kernel

extension JSONValue {
    /// An object without this member.
    func removing(_ key: String) -> JSONValue { .object((objectValue ?? [:]).filter { $0.key != key }) }
}
