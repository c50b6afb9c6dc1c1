import Kernel

/// Members as running programs write them, where the documents name one kind and programs use another.
/// Source: `docs/protocol.md`, "What is checked".
extension JSONValue {
    /// A text; a whole number counts as the text of its digits.
    var liberalText: String? { stringValue ?? integerValue.map(String.init) }

    /// A whole number; a fraction is cut off.
    var liberalInteger: Int64? {
        if case .number(let number) = self { Int64(exactly: number.rounded(.down)) } else { integerValue }
    }
}

extension KeyedDecodingContainer {
    /// Nil for a member that is absent or no text.
    func liberalText(forKey key: Key) throws -> String? {
        try decodeIfPresent(JSONValue.self, forKey: key)?.liberalText
    }

    /// - Throws: `DecodingError` for a member that is absent or no text.
    func requiredText(forKey key: Key) throws -> String {
        guard let text = try liberalText(forKey: key) else {
            throw DecodingError.dataCorruptedError(
                forKey: key,
                in: self,
                debugDescription: "neither a text nor a number"
            )
        }
        return text
    }

    /// 0 for a member that is absent or no number.
    func liberalInteger(forKey key: Key) throws -> Int64 {
        try decodeIfPresent(JSONValue.self, forKey: key)?.liberalInteger ?? 0
    }

    /// What the peer says about itself; nothing where it is absent or no object, since nothing is decided by it.
    func deviceInfo(forKey key: Key, platform: PairingPlatform) throws -> PairingDeviceInfo {
        let value = try decodeIfPresent(JSONValue.self, forKey: key)
        guard let value, value.objectValue != nil else { return PairingDeviceInfo(name: "", platform: platform) }
        return try value.decode(as: PairingDeviceInfo.self)
    }
}
