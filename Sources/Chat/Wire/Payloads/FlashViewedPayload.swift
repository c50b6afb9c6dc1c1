public import Kernel

/// The word of the receiver that a photo was viewed. A control message: no row, no count, no preview, no push. Source: rule B15.
public struct FlashViewedPayload: CustomPayload {
    static let type = "flash_viewed"
    static let keys: Set = ["msgId"]

    /// The id of the photo's message, as its sender chose it.
    public var messageID: String
    /// Members of other programs.
    public var others: [String: JSONValue] = [:]

    public init(messageID: String) { self.messageID = messageID }

    init?(_ members: WireMembers) {
        guard let id = members.nonEmpty("msgId") else { return nil }
        messageID = id
        others = Self.unknownMembers(of: members)
    }

    var known: JSONValue { ["msgId": .string(messageID)] }

    func check() throws(ChatError) {
        try PayloadCheck.text(messageID, "msgId", atMost: ChatLimits.messageID)
    }
}
