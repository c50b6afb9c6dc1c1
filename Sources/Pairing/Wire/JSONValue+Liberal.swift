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

/// These try the two kinds that are read, and no others: a value of any shape would cost an error for each wrong guess.
extension KeyedDecodingContainer {
    /// Nil for a member that is absent or no text.
    func liberalText(forKey key: Key) -> String? {
        if let text = try? decodeIfPresent(String.self, forKey: key) { return text }
        return wholeNumber(forKey: key).map { String($0) }
    }

    /// - Throws: `DecodingError` for a member that is absent or no text.
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

    /// 0 for a member that is absent or no number.
    func liberalInteger(forKey key: Key) -> Int64 {
        if let integer = try? decodeIfPresent(Int64.self, forKey: key) { return integer }
        return decimal(forKey: key).flatMap { Int64(exactly: $0.rounded(.down)) } ?? 0
    }

    /// What the peer says about itself; nothing where it is absent or no object, since nothing is decided by it.
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
