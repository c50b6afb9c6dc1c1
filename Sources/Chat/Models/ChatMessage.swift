public import Accounts
public import Foundation
import Kernel

/// A row of a conversation with the documented fields.
public struct ChatMessage: Hashable, Sendable, Identifiable {
    /// The sender's id of the message: the same from the first optimistic row to the history. Documented `clientMsgId`.
    public let id: String
    public var serverID: String?
    public let sender: UserID
    public let receiver: UserID
    public var type: MessageType
    /// A text's words; of other kinds the words of the list's row.
    public var content: String
    /// Milliseconds since 1970 by the sender's clock: shown until the server's time is known. Source: rule B25.
    public var createTime: Int64
    public var isRead: Bool
    public let isMe: Bool

    /// The place in the conversation, from 1; nil before the server said it. Ours.
    public var sequence: Int64?
    /// Milliseconds since 1970 by the server's clock; nil before it said it. Ours.
    public var sendTime: Int64?

    /// A picture's address, and a voice note's.
    public var imageURL: String?
    /// Seconds since 1970; nil or 0 for never.
    public var urlExpireAt: Int64?
    public var objectKey: String?
    public var multiObjectKeys: [String]?
    /// In the order of ``multiObjectKeys``; an empty text for an address that is not known.
    public var multiImageURLs: [String]?
    public var durationSeconds: Int?
    /// Objects whose addresses are over and were not signed anew. Ours.
    public var unavailableKeys: Set<String> = []
    /// Heights of a voice note's bars, 0 to 100. Ours.
    public var waveform: [Int] = []
    /// Pixels.
    public var width: Int?
    public var height: Int?

    public var isRecalled = false
    /// A photo that burned.
    public var isDestroyed = false
    /// 0 to 1.
    public var uploadProgress = 0.0
    public private(set) var status: MessageStatus
    /// A sentence for the person, with ``MessageStatus/failed``.
    public private(set) var errorReason: String?

    public var signalQuoteID: String?
    public var signalQuoteContent: String?
    public var signalQuoteReply: String?

    /// - Parameters:
    ///   - status: ``MessageStatus/sending`` for a row that is shown before it is sent.
    ///   - me: The person who looks at it.
    public init(
        id: String,
        from sender: UserID,
        to receiver: UserID,
        as me: UserID,
        createTime: Int64,
        status: MessageStatus = .success,
        _ payload: MessagePayload
    ) {
        self.id = id
        self.sender = sender
        self.receiver = receiver
        isMe = sender == me
        type = MessageType(payload)
        content = payload.pushDescription
        self.createTime = createTime
        isRead = false
        self.status = status
        fill(from: payload)
    }

    private mutating func fill(from payload: MessagePayload) {
        switch payload {
        case .image(let image):
            objectKey = image.objectKey.isEmpty ? nil : image.objectKey
            imageURL = image.url.flatMap { WebAddress.isOne($0) ? $0 : nil }
            urlExpireAt = image.expireAt
            width = image.width
            height = image.height
        case .flashImage(let flash):
            objectKey = flash.objectKey.isEmpty ? nil : flash.objectKey
            isDestroyed = flash.isDestroyed
        case .multiImage(let images):
            multiObjectKeys = images.objectKeys
            multiImageURLs = Self.aligned(images.urls.map { WebAddress.isOne($0) ? $0 : "" }, to: images.objectKeys)
            urlExpireAt = images.expireAt
        case .voice(let voice):
            objectKey = voice.objectKey.isEmpty ? nil : voice.objectKey
            imageURL = voice.url.flatMap { WebAddress.isOne($0) ? $0 : nil }
            urlExpireAt = voice.expireAt
            durationSeconds = voice.durationSeconds
            waveform = Array(voice.waveform.prefix(ChatLimits.waveform))
        case .signalQuote(let quote):
            signalQuoteID = quote.signalID
            signalQuoteContent = quote.signalContent
            signalQuoteReply = quote.reply
        case .text, .flashViewed, .sealed, .unknown: break
        }
    }

    /// As many addresses as keys. Without keys (a program that sends addresses alone) the addresses as they are. Source: rules R2, R3.
    private static func aligned(_ urls: [String], to keys: [String]) -> [String] {
        guard !keys.isEmpty else { return urls }
        return keys.indices.map { $0 < urls.count ? urls[$0] : "" }
    }

    public var key: MessageKey { MessageKey(sender: sender, clientMessageID: id) }

    /// The time that a row shows, in milliseconds since 1970.
    public var displayTime: Int64 { sendTime ?? createTime }

    /// Whether a photo burns.
    public var isFlash: Bool { type == .flashImage }

    /// Photos that burn are opened once at the server, never by an address.
    public var cacheableKeys: [String] {
        guard !isFlash, !isRecalled else { return [] }
        return multiObjectKeys ?? objectKey.map { [$0] } ?? []
    }

    /// Seconds by which an address counts as over before its end, since clocks differ and fetching takes a while. Source: rule B16.
    public static let expiryMargin: Int64 = 60

    /// Whether the address has to be signed anew. One without an end counts as good until fetching it fails.
    public func isURLExpired(at now: Date) -> Bool {
        guard let urlExpireAt, urlExpireAt > 0 else { return false }
        return now.millisecondsSince1970 / 1000 > urlExpireAt - Self.expiryMargin
    }

    /// - Throws: ``ChatError/illegalStatus(from:to:)``, with which nothing changes.
    public mutating func move(to next: MessageStatus, reason: String? = nil) throws(ChatError) {
        guard status.allows(next) else { throw .illegalStatus(from: status, to: next) }
        status = next
        errorReason = next == .failed ? reason : nil
        uploadProgress = next == .success ? 1 : 0
    }

    /// Whether a row shows how far its upload is. Source: rule C8.
    public var showsProgress: Bool { status == .sending && uploadProgress > 0 }

    /// The length on a voice note, for example "12″"; nil for other kinds and where it is not known. Source: rule C10.
    public var durationText: String? { type == .voice ? durationSeconds.map { "\($0)″" } : nil }

    /// The documented words in place of a picture that cannot be had any more.
    public static let expiredText = "图片已过期"

    /// The pictures of a message, each with its address where that is known: as many as there are keys, also where there are no addresses.
    public var pictures: [MessagePicture] {
        switch type {
        case .image:
            [picture(objectKey, imageURL)]
        case .multiImage:
            if let keys = multiObjectKeys, !keys.isEmpty {
                zip(keys, Self.aligned(multiImageURLs ?? [], to: keys)).map { picture($0, $1) }
            } else {
                (multiImageURLs ?? []).map { picture(nil, $0) }
            }
        default: []
        }
    }

    private func picture(_ objectKey: String?, _ url: String?) -> MessagePicture {
        MessagePicture(
            objectKey: objectKey,
            url: url.flatMap { $0.isEmpty ? nil : $0 },
            isUnavailable: objectKey.map(unavailableKeys.contains) ?? false
        )
    }

    /// Puts new addresses in, by key.
    ///
    /// - Returns: Whether something changed.
    @discardableResult
    public mutating func replaceURLs(_ urls: [String: SignedURL]) -> Bool {
        guard !isFlash else { return false }
        var changed = !unavailableKeys.isDisjoint(with: urls.keys)
        unavailableKeys.subtract(urls.keys)
        if let objectKey, let url = urls[objectKey] {
            changed = changed || imageURL != url.text || urlExpireAt != url.expireAt
            imageURL = url.text
            urlExpireAt = url.expireAt
        }
        guard let keys = multiObjectKeys, keys.contains(where: { urls[$0] != nil }) else { return changed }
        // The list goes back as a whole: writing into an element of an optional list loses the change. Source: rule R2.
        var all = Self.aligned(multiImageURLs ?? [], to: keys)
        for (index, key) in keys.enumerated() {
            if let url = urls[key] { all[index] = url.text }
        }
        changed = changed || all != multiImageURLs
        multiImageURLs = all
        // One end stands for all addresses, so the earliest counts.
        urlExpireAt = keys.compactMap { urls[$0]?.expireAt }.min() ?? urlExpireAt
        return changed
    }

    /// Takes over what another copy of the message knows: the server's place and time, newer addresses, and states, which never go back.
    mutating func fold(_ other: ChatMessage) {
        sequence = [sequence, other.sequence].compactMap { $0 }.min()
        serverID = other.serverID ?? serverID
        sendTime = other.sendTime ?? sendTime
        isRead = isRead || other.isRead
        isRecalled = isRecalled || other.isRecalled
        isDestroyed = isDestroyed || other.isDestroyed
        if let url = other.imageURL, !Self.isFile(imageURL) {
            imageURL = url
            urlExpireAt = other.urlExpireAt
        }
        objectKey = isDestroyed && isFlash ? nil : objectKey ?? other.objectKey
        // A row that is shown before its upload has files and no keys.
        if multiObjectKeys?.isEmpty ?? true { multiObjectKeys = other.multiObjectKeys ?? multiObjectKeys }
        if let keys = multiObjectKeys, let theirs = other.multiImageURLs {
            let ours = Self.aligned(multiImageURLs ?? [], to: keys)
            let merged = zip(ours, Self.aligned(theirs, to: keys)).map { $1.isEmpty || Self.isFile($0) ? $0 : $1 }
            if merged != ours { urlExpireAt = other.urlExpireAt }
            multiImageURLs = merged
        }
        durationSeconds = durationSeconds ?? other.durationSeconds
        waveform = waveform.isEmpty ? other.waveform : waveform
        width = width ?? other.width
        height = height ?? other.height
        signalQuoteID = signalQuoteID ?? other.signalQuoteID
        signalQuoteContent = signalQuoteContent ?? other.signalQuoteContent
        signalQuoteReply = signalQuoteReply ?? other.signalQuoteReply
        // The message came back from the server: an own row that waited or failed is sent. Source: rule B6.
        if other.status == .success, status != .success {
            status = .success
            errorReason = nil
            uploadProgress = 1
        }
        if isRecalled { blank() }
    }

    /// A file on this device is better than any address.
    private static func isFile(_ url: String?) -> Bool { url?.hasPrefix("file:") ?? false }

    /// Marks the message as recalled by the server, and lets go of what it said.
    mutating func recall() {
        isRecalled = true
        blank()
    }

    /// Marks a photo as burned. Other kinds of messages do not burn.
    mutating func destroy() {
        guard isFlash else { return }
        isDestroyed = true
        objectKey = nil
    }

    private mutating func blank() {
        type = .revoked
        content = ""
        imageURL = nil
        urlExpireAt = nil
        objectKey = nil
        multiObjectKeys = nil
        multiImageURLs = nil
        durationSeconds = nil
        waveform = []
        unavailableKeys = []
        width = nil
        height = nil
        signalQuoteID = nil
        signalQuoteContent = nil
        signalQuoteReply = nil
        // What a row showed before it was recalled is gone, whether it had burned or not.
        isDestroyed = false
    }
}

/// A picture of a message. Without an address a placeholder is shown. Source: rule R3.
public struct MessagePicture: Hashable, Sendable {
    public let objectKey: String?
    public let url: String?
    /// It cannot be had any more: ``ChatMessage/expiredText`` is shown. Source: rule C8.
    public let isUnavailable: Bool
}
