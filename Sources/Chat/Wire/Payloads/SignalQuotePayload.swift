public import Kernel

/// The first message after a signal: the signal that was answered, and the answer.
public struct SignalQuotePayload: CustomPayload {
    static let type = "signal_quote"
    static let keys: Set = ["signalId", "replyContent", "signalContent"]

    public var signalID: String
    public var reply: String
    public var signalContent: String
    /// Members of other programs.
    public var others: [String: JSONValue] = [:]

    public init(signalID: String, reply: String, signalContent: String) {
        self.signalID = signalID
        self.reply = reply
        self.signalContent = signalContent
    }

    init?(_ members: WireMembers) {
        guard let id = members.nonEmpty("signalId"), let reply = members.text("replyContent") else { return nil }
        signalID = id
        self.reply = reply
        signalContent = members.text("signalContent") ?? ""
        others = Self.unknownMembers(of: members)
    }

    var known: JSONValue {
        ["signalId": .string(signalID), "replyContent": .string(reply), "signalContent": .string(signalContent)]
    }

    func check() throws(ChatError) {
        try PayloadCheck.text(signalID, "signalId", atMost: ChatLimits.messageID)
        try PayloadCheck.text(reply, "replyContent", atMost: ChatLimits.signalText)
        try PayloadCheck.text(signalContent, "signalContent", atMost: ChatLimits.signalText)
    }
}
