/// A person's prompt for an agent.
public struct ThreadPrompt: Hashable, Sendable {
    /// At most 64 KiB; may be empty only beside an attachment.
    public var text: String
    /// At most 16, and 512 KiB together, where the prompt comes from a device.
    public var attachments: [ThreadAttachment]

    public init(_ text: String, attachments: [ThreadAttachment] = []) {
        self.text = text
        self.attachments = attachments
    }
}

/// A file that a person gives with a prompt.
public enum ThreadAttachment: Hashable, Sendable {
    /// One that is on the computer already, by its path there. It stays where it is.
    case path(String)
    /// One that travels with the prompt. The computer keeps it for the agent below its state folder, for 30 days.
    case data(name: String, type: String, bytes: [UInt8])
}
