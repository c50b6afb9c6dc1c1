import Commands
public import Control
public import Kernel

/// The control methods of clipboards, for commands and pages on a phone's device.
public enum ClipboardControl {
    /// Reports what is copied at a computer, until that is forgotten or the asker has gone: its items are the computer's
    /// own, read by ``ClipboardChange/init(item:)``. `{"watching": true}` says that the computer watches from now on, at first and after each
    /// time that it was away.
    public static let follow = ControlStream<Follow, JSONValue, NoControlAnswer>(
        "clipboard.follow",
        summary: "Report what is copied at a computer."
    )

    /// The item that says that the computer watches from now on.
    package static let begun: JSONValue = ["watching": true]

    /// The parameters of following a computer's clipboard.
    public struct Follow: Codable, Hashable, Sendable {
        /// The computer's id or name; nil where only one is paired.
        public var device: String?

        public init(device: String?) { self.device = device }
    }
}

extension ClipboardChange {
    /// Nil for anything else.
    public init?(item: JSONValue) {
        guard item != ClipboardControl.begun, let members = item.objectValue else { return nil }
        self.init(RemoteEvent(.clipboardChanged, members))
    }
}
