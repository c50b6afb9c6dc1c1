public import Control

/// What one device of an account read of sealed conversations, handed to another.
extension ChatControl {
    public static let handOver = ControlMethod<HandedOver, DeviceList>(
        "chat.handOver",
        summary: "Hand what this device read of sealed conversations to another device of the account's list."
    )

    public struct HandedOver: Codable, Hashable, Sendable {
        /// The key of the device that gets it, `did:key:z6Mk…`.
        public var did: String

        public init(did: String) { self.did = did }
    }

    /// How far a history came, of a device that gets it from this one, or of this one, which takes it.
    public struct Handover: Codable, Hashable, Sendable {
        public enum Stage: String, Codable, Hashable, Sendable, CaseIterable {
            /// This device seals and uploads it.
            case making
            /// The hub has it, for seven days: the other device takes it when it is opened.
            case offered
            /// The other device has it.
            case taken
            /// The other device was not opened within seven days.
            case lapsed
            /// This device takes it.
            case taking
            /// This device has it.
            case done
        }

        public var stage: Stage
        /// Messages that were uploaded, or taken.
        public var done: Int
        /// Messages of the whole history, as far as is known.
        public var messages: Int
        /// Older messages had no room in it.
        public var isCut: Bool
        /// A sentence for the person, where it stands still.
        @OrNull public var failure: String?

        public init(stage: Stage, done: Int, messages: Int, isCut: Bool, failure: String?) {
            self.stage = stage
            self.done = done
            self.messages = messages
            self.isCut = isCut
            self.failure = failure
        }
    }
}

extension ChatControl.Handover.Stage {
    init(_ stage: OfferingRecord.Stage) {
        self =
            switch stage {
            case .making: .making
            case .offered: .offered
            case .taken: .taken
            case .lapsed: .lapsed
            }
    }
}
