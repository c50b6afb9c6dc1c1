import Kernel

/// The address of a device: the exact text it registered under.
package struct PeerID: Hashable, Sendable, CustomStringConvertible {
    /// The id as JSON, so that frames are put together without quoting it again. One text for one id.
    let token: [UInt8]

    package init(_ text: String) {
        var token: [UInt8] = []
        JSONValue.appendQuoted(text, to: &token)
        self.token = token
    }

    /// An id from the ``storageKey`` that a store kept.
    package init(storageKey: String) { token = Array(storageKey.utf8) }

    /// The id as a store keeps it: one text for one id.
    package var storageKey: String { String(decoding: token, as: UTF8.self) }

    /// The id's characters; nil for the numbers that the legacy servers take for ids.
    package var text: String? {
        token.withUnsafeBytes { JSONText.string($0, 0..<token.count) }
    }

    package var description: String { text ?? storageKey }

    /// Whether it is a typed code's address.
    var isAlias: Bool { token.starts(with: Self.aliasStart) }

    private static let aliasStart = Array("\"pairing-code:".utf8)

    enum Parsed {
        case id(PeerID)
        case tooLong
        /// A value of another type. Its JSON is what the legacy servers echo.
        case notText([UInt8])
    }

    /// - Parameter range: A scanned value.
    static func parse(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, limit: Int, acceptsNumbers: Bool) -> Parsed
    {
        let token = UnsafeRawBufferPointer(rebasing: bytes[range])
        switch token[0] {
        case UInt8(ascii: "\""):
            // Six bytes of escapes for one of text is the most there can be.
            guard token.count <= limit * 6 + 2 else { return .tooLong }
            guard token.contains(UInt8(ascii: "\\")) else {
                return token.count - 2 <= limit ? .id(PeerID(canonical: Array(token))) : .tooLong
            }
            guard let text = JSONText.string(bytes, range), text.utf8.count <= limit else { return .tooLong }
            return .id(PeerID(text))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            guard token.count <= limit else { return .tooLong }
            return acceptsNumbers ? .id(PeerID(canonical: Array(token))) : .notText(Array(token))
        default:
            return token.count <= limit ? .notText(Array(token)) : .tooLong
        }
    }

    private init(canonical token: [UInt8]) { self.token = token }
}
