import Crypto
import Foundation
import Kernel

/// Ids that are the same at each import, so that nothing is imported twice.
enum StableID {
    /// An id of another program: 32 hexadecimal digits become a UUID as it is usually written, any other short text stays. Nil for what is no id.
    static func of(_ text: String) -> String? {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
        if digits.count == 32, let bytes = Hexadecimal.decode(String(decoding: digits, as: UTF8.self).lowercased()) {
            return uuid(bytes)
        }
        let isPlain = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
        return (1...JournalLimits.identifier).contains(text.utf8.count) && isPlain ? text : nil
    }

    /// An id for something that has none, of what it is called: a UUID of version 8. Source: RFC 9562, section 5.8.
    static func made(of parts: String...) -> String {
        var bytes = Array(SHA256.hash(data: Array(parts.joined(separator: "\0").utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return uuid(bytes)
    }

    private static func uuid(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array(Hexadecimal.encode(bytes))
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }
}
