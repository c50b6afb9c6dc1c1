public import Control

/// The control methods of remote input at a computer.
public enum InputControl {
    /// Answers whether phones can control this computer, by which way, and which one does.
    public static let state = ControlMethod<NoControlParameters, State>(
        "input.state",
        summary: "Whether phones can control this computer, and which one does now."
    )
    /// Ends the control that is open.
    public static let stop = ControlMethod<NoControlParameters, Stopped>(
        "input.stop",
        summary: "End a phone's control of this computer's pointer and keyboard."
    )

    public struct State: Codable, Hashable, Sendable {
        /// The name of the phone that controls this computer; nil for none.
        @OrNull public var phone: String?
        /// When it began, in milliseconds since 1970.
        @OrNull public var since: Int64?
        /// The way to the pointer and the keyboard, also where none is open; nil where there is none.
        @OrNull public var way: String?
        /// Why there is none, a sentence; nil where there is one.
        @OrNull public var reason: String?
        /// The keys that end it, while one is open.
        @OrNull public var stopKey: String?

        public init(phone: String?, since: Int64?, way: String?, reason: String?, stopKey: String?) {
            self.phone = phone
            self.since = since
            self.way = way
            self.reason = reason
            self.stopKey = stopKey
        }
    }

    public struct Stopped: Codable, Hashable, Sendable {
        /// The name of the phone whose control ended; nil where there was none.
        @OrNull public var phone: String?

        public init(phone: String?) { self.phone = phone }
    }
}
