public import Control

/// The picture that others see of this person.
extension ChatControl {
    public static let setFace = ControlMethod<ChosenFace, Face>(
        "chat.setFace",
        summary: "Set the picture that others see of this person, or take it away."
    )

    public struct ChosenFace: Codable, Hashable, Sendable {
        /// A path on this machine, or the token of a file that a page handed in; nil takes the picture away.
        public var file: String?

        public init(file: String?) { self.file = file }
    }

    public struct Face: Codable, Hashable, Sendable {
        /// The object's key; nil for no picture.
        @OrNull public var avatar: String?
    }
}
