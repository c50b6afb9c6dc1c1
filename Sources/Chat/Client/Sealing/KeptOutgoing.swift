import Chat
import ChatSealing
import Kernel

/// A message that this device sealed, as it is kept: sealed once, so that every attempt to send it has the same bytes.
struct KeptOutgoing: Sendable {
    let payload: MessagePayload
    /// Nil after a refusal because of old lists.
    let sealed: JSONValue?
    let count: Int64
}

/// A chat key of this device, as it is kept.
struct KeptKey: Sendable {
    let pair: ChatKeyPair
    /// The newest number of the own list when it was made.
    let list: Int
    let isPublished: Bool
    /// When its successor was published, in milliseconds since 1970.
    let succeeded: Int64?
}
