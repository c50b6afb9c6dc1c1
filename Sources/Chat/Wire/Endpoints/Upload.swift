public import Kernel

/// What an upload is for: it decides what the server checks, and who may fetch it.
public enum UploadKind: String, Hashable, Sendable, CaseIterable {
    case image = "chat_image"
    case voice = "chat_audio"
    /// A photo that burns, which nobody gets an address of. Source: rule B13.
    case flash = "chat_flash"
    /// Bytes that the server cannot look into.
    case sealed = "chat_sealed"
    case sealedFlash = "chat_flash_sealed"

    /// The beginning of the keys of all photos that burn, sealed ones too. A server refuses to sign them, and clients neither keep nor fetch them.
    public static let flashPrefix = "chat/flash/"

    /// The largest file that the server takes, in bytes.
    public var limit: Int {
        switch self {
        case .image, .flash, .sealed, .sealedFlash: 10 << 20
        case .voice: 5 << 20
        }
    }
}

/// The documented answer to an upload.
public struct UploadAnswer: ChatWire {
    public var objectKey: String

    public init(objectKey: String) { self.objectKey = objectKey }

    public init(wire: JSONValue) throws(ChatError) {
        objectKey = try WireMembers(wire, of: "answer")
            .required("objectKey", "object_key", atMost: ChatLimits.objectKey)
        try PayloadCheck.objectKey(objectKey)
    }

    public var wire: JSONValue { ["objectKey": .string(objectKey)] }
}
