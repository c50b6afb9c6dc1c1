public import Kernel

/// What a message says. Reading never fails: what this version does not know, or cannot read, is ``unknown(_:_:)`` and shown as such.
/// Source: `docs/chat.md`, "Payloads".
public enum MessagePayload: Hashable, Sendable {
    case text(String)
    case image(ImagePayload)
    case flashImage(FlashImagePayload)
    case flashViewed(FlashViewedPayload)
    case multiImage(MultiImagePayload)
    case voice(VoicePayload)
    case signalQuote(SignalQuotePayload)
    /// A message that only devices of the two people can open: its members pass untouched.
    case sealed(JSONValue)
    /// The element as it came.
    case unknown(ContentType, JSONValue)

    static let sealedType = "sealed"

    /// Reads the element of a stored message: `{"content":…}` of a text, `{"data":"…"}` of a custom one.
    public init(_ contentType: ContentType, element: JSONValue) {
        switch contentType {
        case .text:
            guard let text = element["content"]?.stringValue else { break }
            self = .text(text)
            return
        case .custom:
            guard let payload = Self.custom(element) else { break }
            self = payload
            return
        default: break
        }
        self = .unknown(contentType, element)
    }

    /// Reads the `content` of a request to send: the documented form, where a text is the text itself and a custom payload is a JSON text, and the
    /// one of existing servers, where both are objects.
    public init(_ contentType: ContentType, sent content: JSONValue) {
        switch (contentType, content) {
        // A person may type what looks like JSON: a text is never parsed.
        case (.text, .string(let text)): self = .text(text)
        case (.custom, _):
            let data = content.parsedIfText(limit: ChatLimits.sealedContent) ?? content
            let text = content["data"]?.stringValue ?? content.stringValue ?? content.canonicalText
            self = Self.custom(data) ?? .unknown(.custom, ["data": .string(text)])
        default:
            self.init(contentType, element: content.parsedIfText(limit: ChatLimits.sealedContent) ?? content)
        }
    }

    /// - Parameter value: The payload itself, or the element around it.
    private static func custom(_ value: JSONValue) -> MessagePayload? {
        let inner = value["type"]?.stringValue == nil ? value["data"] : value
        guard let members = inner?.parsedIfText(limit: ChatLimits.sealedContent)?.objectValue,
            let type = members["type"]?.stringValue
        else { return nil }
        let reader = WireMembers(members)
        return switch type {
        case ImagePayload.type: ImagePayload(reader).map(image)
        case FlashImagePayload.type: FlashImagePayload(reader).map(flashImage)
        case FlashViewedPayload.type: FlashViewedPayload(reader).map(flashViewed)
        case MultiImagePayload.type: MultiImagePayload(reader).map(multiImage)
        case VoicePayload.type: VoicePayload(reader).map(voice)
        case SignalQuotePayload.type: SignalQuotePayload(reader).map(signalQuote)
        case sealedType: .sealed(.object(members))
        default: nil
        }
    }

    public var contentType: ContentType {
        switch self {
        case .text: .text
        case .unknown(let type, _): type
        default: .custom
        }
    }

    /// The element of a stored message.
    public var element: JSONValue {
        switch self {
        case .text(let text): ["content": .string(text)]
        case .unknown(_, let element): element
        default: ["data": .string(data?.canonicalText ?? ""), "description": "", "extension": ""]
        }
    }

    /// The `content` of the documented request to send: a text always.
    public var sentContent: String {
        switch self {
        case .text(let text): text
        case .unknown(.custom, let element): element["data"]?.stringValue ?? element.canonicalText
        case .unknown(_, let element): element.stringValue ?? element.canonicalText
        default: data?.canonicalText ?? ""
        }
    }

    private var custom: (any CustomPayload)? {
        switch self {
        case .image(let payload): payload
        case .flashImage(let payload): payload
        case .flashViewed(let payload): payload
        case .multiImage(let payload): payload
        case .voice(let payload): payload
        case .signalQuote(let payload): payload
        case .text, .sealed, .unknown: nil
        }
    }

    /// The object of a custom payload.
    private var data: JSONValue? {
        if case .sealed(let members) = self { members } else { custom?.data }
    }

    /// Checks what is sent, by the sender and by the server. Received messages are shown whatever they are.
    ///
    /// - Throws: ``ChatError/blank`` for a text of white space, ``ChatError/tooLong(_:limit:)``, ``ChatError/tooMany(_:limit:)``,
    ///   ``ChatError/malformed(_:)``, ``ChatError/badObjectKey``.
    public func check() throws(ChatError) {
        if case .text(let text) = self {
            guard text.contains(where: { !$0.isWhitespace }) else { throw .blank }
            try PayloadCheck.text(text, "content", atMost: ChatLimits.text)
        }
        try custom?.check()
        if case .unknown = self { throw .malformed("content") }
        var limit = ChatLimits.content
        if case .sealed = self { limit = ChatLimits.sealedContent }
        guard element.canonicalBytes.count <= limit else { throw .tooLong("content", limit: limit) }
    }

    /// Whether it changes other rows and is none itself.
    public var isControl: Bool {
        if case .flashViewed = self { true } else { false }
    }

    /// What the server does beside handing it over.
    public var options: MessageOptions { isControl ? .control : MessageOptions() }

    /// The documented words of a push; empty for no push.
    public var pushDescription: String {
        switch self {
        case .text(let text): text
        case .image: "[图片]"
        case .flashImage: "[闪照]"
        case .multiImage: "[多图]"
        case .voice: "[语音]"
        case .signalQuote: "[信号回复]"
        case .flashViewed: ""
        case .sealed: "[加密消息]"
        case .unknown: Self.unknownText
        }
    }

    /// The documented line of a row that this version cannot read.
    public static let unknownText = "[未知消息类型]"

    /// The words of the list's row; nil for a control message, which changes no row there.
    public var preview: String? { isControl ? nil : pushDescription }
}
