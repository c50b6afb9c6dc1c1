public import Control

/// The devices that an account's sealed messages are for.
extension ChatControl {
    public static let devices = ControlMethod<NoControlParameters, DeviceList>(
        "chat.devices",
        summary: "The devices that sealed messages of this account are for, and those that wait to be added."
    )
    public static let addDevice = ControlMethod<AddedDevice, DeviceList>(
        "chat.addDevice",
        summary: "Add a device of this account to those that read sealed messages."
    )
    public static let removeDevice = ControlMethod<RemovedDevice, DeviceList>(
        "chat.removeDevice",
        summary: "Take a device out of those that read sealed messages."
    )
    public static let renewDevices = ControlMethod<Renewal, DeviceList>(
        "chat.renewDevices",
        summary: "Begin the list of devices anew with this one, because all others are lost."
    )

    public struct AddedDevice: Codable, Hashable, Sendable {
        /// The device's key, `did:key:z6Mk…`.
        public var did: String
        /// The words of the key as the device itself shows them, which the person compared.
        public var words: String
        /// Whether the device gets what this one read of sealed conversations; false where it is missing.
        public var history: Bool?

        public init(did: String, words: String, history: Bool? = nil) {
            self.did = did
            self.words = words
            self.history = history
        }
    }

    public struct RemovedDevice: Codable, Hashable, Sendable {
        public var did: String

        public init(did: String) { self.did = did }
    }

    public struct Renewal: Codable, Hashable, Sendable {
        /// Take the hub's list in place of the one that this device saw, and begin none.
        public var adopt: Bool

        public init(adopt: Bool = false) { self.adopt = adopt }
    }

    public struct DeviceList: Codable, Hashable, Sendable {
        public var devices: [ChatDevice]
        /// This device is in the list: it seals, and reads what others seal.
        public var isListed: Bool
        /// The account's own list began anew elsewhere, or is not a continuation of what was seen; nil for neither.
        @OrNull public var trouble: SealTrouble?
    }

    public struct ChatDevice: Codable, Hashable, Sendable {
        public enum State: String, Codable, Hashable, Sendable, CaseIterable {
            /// The device that is asked, in the list or not: ``DeviceList/isListed``.
            case this
            case listed
            /// Signed in to the account, and not in the list: it reads no sealed messages until it is added.
            case waiting
        }

        public var did: String
        /// As its owner named it, or of a waiting one as the hub says.
        public var name: String
        /// Four words of its key, to compare.
        public var words: String
        public var state: State
        /// The history that it gets from this device, or of this device what it takes; nil for none.
        @OrNull public var handover: Handover?

        init(did: String, name: String, words: String, state: State, handover: Handover? = nil) {
            self.did = did
            self.name = name
            self.words = words
            self.state = state
            self.handover = handover
        }
    }
}
