import Accounts
import Chat
import Kernel

extension MessageFacts {
    /// Content types from here on are the server's own notifications: a person's would be shown as a recall or a receipt.
    private static let firstNotification = 1000

    /// Reads what the hub has to know of a message that is sent.
    ///
    /// - Parameters:
    ///   - isSilent: Whether the sender wants no device to be woken.
    /// - Throws: ``ChatHubError/malformed(_:)`` for a content that only a server sends; `ChatError` for one that is over its bounds.
    init(_ payload: MessagePayload, isSilent: Bool) throws {
        guard payload.contentType.rawValue < Self.firstNotification else { throw ChatHubError.malformed("contentType") }
        let words = isSilent ? "" : payload.pushDescription
        // Kinds of later clients are kept as they came: who gets them may know them.
        if case .unknown = payload {
            self.init(.other, pushText: words)
        } else {
            try payload.check()
            self.init(checked: payload, words: words)
        }
    }

    private init(checked payload: MessagePayload, words: String) {
        switch payload {
        case .text(let text): self.init(.text, searchText: text, pushText: words)
        case .signalQuote(let quote): self.init(.text, searchText: quote.reply, pushText: words)
        case .image(let image): self.init(.image, objectKeys: [image.objectKey], pushText: words)
        case .multiImage(let images): self.init(.image, objectKeys: images.objectKeys, pushText: words)
        case .voice(let voice): self.init(.other, objectKeys: [voice.objectKey], pushText: words)
        case .flashImage(let photo):
            let shown = MessagePayload.flashImage(FlashImagePayload(objectKey: ""))
            self.init(
                .flash(key: photo.objectKey),
                shownContent: shown.element.canonicalBytes,
                pushText: words
            )
        case .flashViewed(let viewed): self.init(.flashViewed(target: viewed.messageID))
        case .sealed(let members):
            // The one thing of a sealed view-once picture that the hub has to know.
            if let key = members["flash"]?.stringValue {
                let shown = MessagePayload.sealed(.object((members.objectValue ?? [:]).filter { $0.key != "flash" }))
                self.init(
                    .flash(key: key),
                    shownContent: shown.element.canonicalBytes,
                    pushText: words,
                    lists: ListNumbers(sealed: members)
                )
                return
            }
            let keys = members["objects"]?.arrayValue?.compactMap(\.stringValue) ?? []
            self.init(.sealed, objectKeys: keys, pushText: words, lists: ListNumbers(sealed: members))
        case .unknown: self.init(.other, pushText: words)
        }
    }
}
