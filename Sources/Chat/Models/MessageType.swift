/// The kind of a row. Raw values are the documented names.
public enum MessageType: String, Hashable, Sendable, CaseIterable, Codable {
    case text, image, flashImage, multiImage, voice, signalQuote, flashViewed, revoked, time, unknown

    /// Whether a message of this kind is a bubble. Time markers are derived, and the word that a photo was viewed changes another row.
    public var isBubble: Bool { self != .flashViewed && self != .time }

    /// The kind of a payload.
    public init(_ payload: MessagePayload) {
        switch payload {
        case .text: self = .text
        case .image: self = .image
        case .flashImage: self = .flashImage
        case .flashViewed: self = .flashViewed
        case .multiImage: self = .multiImage
        case .voice: self = .voice
        case .signalQuote: self = .signalQuote
        case .sealed, .unknown: self = .unknown
        }
    }
}
