/// A phone's data on its way to another phone.
public struct Handover: Codable, Hashable, Sendable {
    /// The transfer's id, by which the new phone's word is known to be about this one.
    public var transferID: String
    /// The new phone, as it named itself; at most 128 bytes are kept.
    public var newPhone: String
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var begunAt: Int64

    public init(transferID: String, newPhone: String, begunAt: Int64) {
        self.transferID = transferID
        var name = newPhone
        while name.utf8.count > 128 { name.removeLast() }
        self.newPhone = name
        self.begunAt = begunAt
    }
}
