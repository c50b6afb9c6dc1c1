public import Accounts
import Foundation
public import Kernel

/// A message as existing programs keep and hand it over, one struct for pull, push and the lists of client libraries.
public struct MessageData: ChatWire {
    /// How the content is written: servers pull bytes as base64, lists hold a JSON text, requests hold an object, and client libraries hold one
    /// member for each kind.
    public enum ContentForm: Hashable, Sendable, CaseIterable {
        case base64, text, object, elements
    }

    /// A content that was read, or its canonical text, which is what a server keeps and hands on: it is read only where somebody looks into it.
    private enum Content: Hashable, Sendable {
        case value(JSONValue)
        case text([UInt8])

        var value: JSONValue {
            switch self {
            case .value(let value): value
            case .text(let text): (try? JSONValue(parsing: text)) ?? [:]
            }
        }

        var canonicalBytes: [UInt8] {
            switch self {
            case .value(let value): value.canonicalBytes
            case .text(let text): text
            }
        }

        static func == (one: Content, other: Content) -> Bool { one.value == other.value }

        func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
    }

    /// Who made it: a person, or the server.
    public enum Origin: Int, Hashable, Sendable {
        case person = 100
        case system = 200
    }

    /// Chats of two people. Others (groups, notifications) are not ours. Source: rule F3.
    public static let singleSession = 1

    public var clientMessageID: String
    public var serverMessageID: String
    /// Milliseconds since 1970 by the sender's clock.
    public var createTime: Int64
    /// Milliseconds since 1970 by the server's clock; 0 while it is not sent.
    public var sendTime: Int64
    public var sessionType: Int
    /// As it came: a person's id, or an administrator's name.
    public var senderID: String
    /// As it came.
    public var receiverID: String
    public var origin: Origin
    public var contentType: ContentType
    public var senderPlatform: Int
    public var senderNickname: String
    public var senderFaceURL: String
    /// The content, always an object, whatever form it came in.
    public var element: JSONValue {
        get { content.value }
        set { content = .value(newValue) }
    }
    private var content: Content
    /// The place in the conversation, from 1; 0 where it has none.
    public var sequence: Int64
    public var isRead: Bool
    /// A client library's: 1 sending, 2 sent, 3 failed, 4 deleted, 5 filtered.
    public var status: Int
    public var options: MessageOptions
    public var attachedInfo: String
    public var ex: String
    /// It was not readable as it came: its row stands in its place and says so. Not on the wire.
    public var isUnreadable = false

    public init(
        clientMessageID: String,
        serverMessageID: String = "",
        createTime: Int64 = 0,
        sendTime: Int64 = 0,
        from sender: UserID,
        to receiver: UserID,
        contentType: ContentType,
        element: JSONValue,
        sequence: Int64 = 0
    ) {
        self.clientMessageID = clientMessageID
        self.serverMessageID = serverMessageID
        self.createTime = createTime
        self.sendTime = sendTime
        sessionType = Self.singleSession
        senderID = sender.imUserID
        receiverID = receiver.imUserID
        origin = .person
        self.contentType = contentType
        senderPlatform = 0
        senderNickname = ""
        senderFaceURL = ""
        content = .value(element)
        self.sequence = sequence
        isRead = false
        status = 2
        options = MessageOptions()
        attachedInfo = ""
        ex = ""
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "message")
        guard let type = members.integer("contentType").flatMap({ Int(exactly: $0) }) else {
            throw .malformed("contentType")
        }
        contentType = ContentType(rawValue: type)
        clientMessageID = try members.required("clientMsgID", "clientMsgId", atMost: ChatLimits.messageID)
        serverMessageID = members.text("serverMsgID") ?? ""
        createTime = members.integer("createTime") ?? 0
        sendTime = members.integer("sendTime") ?? 0
        sessionType = members.integer("sessionType").flatMap { Int(exactly: $0) } ?? Self.singleSession
        senderID = try members.required("sendID", atMost: ChatLimits.name)
        receiverID = members.text("recvID") ?? ""
        origin = members.integer("msgFrom").flatMap { Int(exactly: $0) }.flatMap(Origin.init) ?? .person
        senderPlatform = members.integer("senderPlatformID").flatMap { Int(exactly: $0) } ?? 0
        senderNickname = members.text("senderNickname", "senderName") ?? ""
        senderFaceURL = members.text("senderFaceURL", "senderFaceUrl", "faceURL") ?? ""
        sequence = members.place("seq") ?? 0
        isRead = members.flag("isRead") ?? false
        status = members.integer("status").flatMap { Int(exactly: $0) } ?? 2
        options = MessageOptions(wire: members.value("options"))
        attachedInfo = members.text("attachedInfo") ?? ""
        ex = members.text("ex") ?? ""
        content = .value(Self.element(of: contentType, in: members))
        // A short text cannot become too long: an escape takes six bytes at most.
        let isShort = (members.value("content")?.stringValue?.utf8.count ?? .max) <= ChatLimits.sealedContent / 8
        guard isShort || element.canonicalBytes.count <= ChatLimits.sealedContent else {
            throw .tooLong("content", limit: ChatLimits.sealedContent)
        }
        for (text, name) in [
            (serverMessageID, "serverMsgID"), (receiverID, "recvID"), (senderNickname, "senderNickname"),
        ] {
            guard text.utf8.count <= ChatLimits.name else { throw .tooLong(name, limit: ChatLimits.name) }
        }
        guard senderFaceURL.utf8.count <= ChatLimits.url else { throw .tooLong("senderFaceURL", limit: ChatLimits.url) }
        guard attachedInfo.utf8.count <= ChatLimits.appData, ex.utf8.count <= ChatLimits.appData else {
            throw .tooLong("ex", limit: ChatLimits.appData)
        }
    }

    /// The member of a client library that holds a kind's content.
    private static func elementKey(_ type: ContentType) -> String? {
        switch type {
        case .text: "textElem"
        case .custom: "customElem"
        case .typing: "typingElem"
        case .picture: "pictureElem"
        case .sound: "soundElem"
        default: type.isNotification ? "notificationElem" : nil
        }
    }

    private static func element(of type: ContentType, in members: WireMembers) -> JSONValue {
        if let key = elementKey(type), case .object? = members.value(key) { return members.value(key) ?? [:] }
        guard let content = members.value("content") else { return [:] }
        guard case .string(let text) = content else {
            if case .object = content { return content }
            return ["data": content]
        }
        // No base64 begins with a brace.
        if let object = object(text) { return object }
        if text.utf8.count <= ChatLimits.sealedContent * 2, let bytes = Data(base64Encoded: text),
            let object = object(String(decoding: bytes, as: UTF8.self))
        {
            return object
        }
        return type == .text ? ["content": content] : ["data": content]
    }

    private static func object(_ text: String) -> JSONValue? {
        guard text.utf8.first == UInt8(ascii: "{") else { return nil }
        let value = JSONValue.string(text).parsedIfText(limit: ChatLimits.sealedContent)
        guard case .object? = value else { return nil }
        return value
    }

    /// Takes the content as a server keeps it.
    ///
    /// - Parameter text: The canonical text of an object.
    package mutating func keep(canonical text: [UInt8]) { content = .text(text) }

    /// As a server hands it over.
    public var wire: JSONValue { wire(content: .base64) }

    public func wire(content form: ContentForm) -> JSONValue {
        var members: [String: JSONValue] = [
            "clientMsgID": .string(clientMessageID), "serverMsgID": .string(serverMessageID),
            "createTime": .integer(createTime), "sendTime": .integer(sendTime), "sessionType": .whole(sessionType),
            "sendID": .string(senderID), "recvID": .string(receiverID), "msgFrom": .whole(origin.rawValue),
            "contentType": .whole(contentType.rawValue), "senderPlatformID": .whole(senderPlatform),
            "senderNickname": .string(senderNickname), "groupID": "", "seq": .integer(sequence),
            "isRead": .bool(isRead), "status": .whole(status), "attachedInfo": .string(attachedInfo),
            "ex": .string(ex),
        ]
        members[form == .elements ? "senderFaceUrl" : "senderFaceURL"] = .string(senderFaceURL)
        if !options.switches.isEmpty { members["options"] = options.wire }
        switch form {
        case .base64: members["content"] = .string(Data(content.canonicalBytes).base64EncodedString())
        case .text: members["content"] = .string(String(decoding: content.canonicalBytes, as: UTF8.self))
        case .object: members["content"] = element
        case .elements: members[Self.elementKey(contentType) ?? "content"] = element
        }
        return .object(members)
    }

    public var payload: MessagePayload { MessagePayload(contentType, element: element) }

    public var sender: UserID? { UserID(anyForm: senderID) }

    /// The conversation it belongs to; nil for what is not between two people.
    public var conversation: ConversationID? {
        guard sessionType == Self.singleSession, let sender else { return nil }
        return (try? Recipient(receiverID))?.conversationIfAny(from: sender)
    }
}

extension Recipient {
    fileprivate func conversationIfAny(from sender: UserID) -> ConversationID? { try? conversation(from: sender) }
}
