import Kernel
public import Sealing

/// A device in an account's list.
public struct ListedDevice: Hashable, Sendable {
    /// Of the name, in bytes of UTF-8.
    public static let nameLimit = 64

    /// The device's own key.
    public let did: DID
    /// As its owner named it, 1 to 64 bytes without control characters.
    public let name: String
    /// When it was added, in milliseconds since 1970 by the clock of the device that added it.
    public let since: Int64

    /// - Throws: ``ChatSealingError/malformed(_:)`` for a key that signs nothing, for a name or a time outside of its bounds.
    public init(_ did: DID, name: String, since: Int64) throws(ChatSealingError) {
        try self.init(["did": .string(did.text), "name": .string(name), "since": .integer(since)])
    }

    init(_ json: JSONValue) throws(ChatSealingError) {
        let members = try StrictMembers(json, of: "devices", required: ["did", "name", "since"])
        did = try members.device("did")
        name = try members.text("name", atMost: Self.nameLimit)
        guard !name.isEmpty, name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw .malformed("name")
        }
        since = try members.integer("since", in: ChainEntry.times)
    }

    var json: JSONValue { ["did": .string(did.text), "name": .string(name), "since": .integer(since)] }
}
