import Kernel

/// Lenient reading of members where the documents name one type and running programs use another.
/// Source: `docs/protocol.md`, "What is checked".
extension JSONValue {
    /// The text of a string, or the digits of a whole number.
    var liberalText: String? { stringValue ?? integerValue.map(String.init) }

    /// The whole number; a fraction is rounded down.
    var liberalInteger: Int64? {
        if case .number(let number) = self { Int64(exactly: number.rounded(.down)) } else { integerValue }
    }
}

/// Lenient decoding that tries strings and numbers only, because each wrong guess of a value's shape costs a thrown error.
extension KeyedDecodingContainer {
    /// The member's text, or a whole number's digits; nil where it is absent or neither.
    func liberalText(forKey key: Key) -> String? {
        if let text = try? decodeIfPresent(String.self, forKey: key) { return text }
        return wholeNumber(forKey: key).map { String($0) }
    }

    /// - Throws: `DecodingError` for a member that is absent, or neither a text nor a whole number.
    func requiredText(forKey key: Key) throws -> String {
        guard let text = liberalText(forKey: key) else {
            throw DecodingError.dataCorruptedError(
                forKey: key,
                in: self,
                debugDescription: "neither a text nor a number"
            )
        }
        return text
    }

    /// The member's whole number, rounded down; 0 where it is absent or no number.
    func liberalInteger(forKey key: Key) -> Int64 {
        if let integer = try? decodeIfPresent(Int64.self, forKey: key) { return integer }
        return decimal(forKey: key).flatMap { Int64(exactly: $0.rounded(.down)) } ?? 0
    }

    /// The peer's description of itself; an empty one where it is absent or no object, since no decision depends on it.
    func deviceInfo(forKey key: Key, platform: PairingPlatform) -> PairingDeviceInfo {
        if let info = try? decodeIfPresent(PairingDeviceInfo.self, forKey: key) { return info }
        return PairingDeviceInfo(name: "", platform: platform)
    }

    private func wholeNumber(forKey key: Key) -> Int64? {
        if let integer = try? decodeIfPresent(Int64.self, forKey: key) { return integer }
        return decimal(forKey: key).flatMap { Int64(exactly: $0) }
    }

    private func decimal(forKey key: Key) -> Double? {
        if let number = try? decodeIfPresent(Double.self, forKey: key) { return number }
        return nil
    }
}
