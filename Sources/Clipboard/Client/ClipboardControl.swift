import Commands
public import Control
public import Kernel

/// What commands and pages on a phone's device ask of clipboards.
public enum ClipboardControl {
    /// Reports what is copied at a computer, until that is forgotten or the asker has gone: its items are the computer's
    /// own, read by ``ClipboardChange/init(item:)``.
    public static let follow = ControlStream<Follow, JSONValue, NoControlAnswer>(
        "clipboard.follow",
        summary: "Report what is copied at a computer."
    )

    /// Which computer's clipboard is followed.
    public struct Follow: Codable, Hashable, Sendable {
        /// The computer's id or name; nil where only one is paired.
        public var device: String?

        public init(device: String?) { self.device = device }
    }
}

extension ClipboardChange {
    /// Nil for anything else.
    public init?(item: JSONValue) {
        guard let members = item.objectValue else { return nil }
        self.init(RemoteEvent(.clipboardChanged, members))
    }
}
