public import CommandClient
public import Control
public import Kernel

/// The control methods and streams of threads, for commands and pages: of a phone about its computers and of a computer about itself.
public enum ThreadsControl {
    /// One of the feature's methods.
    public static let call = ControlMethod<MethodCall, JSONValue>(
        "threads.call",
        summary: "Ask for the conversations with coding agents."
    )
    /// Its items are `{"subscribed": …}` and then events, read by ``ThreadReader``.
    public static let follow = ControlStream<Follow, JSONValue, NoControlAnswer>(
        "threads.follow",
        summary: "Report what happens in a conversation, or in the list of them."
    )

    /// The thread or list to follow.
    public struct Follow: Codable, Hashable, Sendable {
        /// The computer's id or name; nil where only one is paired, and at a computer.
        public var device: String?
        /// The thread; nil: the list.
        public var id: String?
        /// The agent whose thread it is.
        public var source: String?
        /// Where the asker stands; nil: it wants the last page.
        public var after: String?

        public init(device: String?, id: String? = nil, source: String? = nil, after: String? = nil) {
            self.device = device
            self.id = id
            self.source = source
            self.after = after
        }
    }
}
