import Foundation

/// A password as a person typed it, in the form that is hashed: NFKC, so that every keyboard writes the same bytes.
struct Password: Sendable {
    static let lengths = 10...1024

    let bytes: [UInt8]

    /// - Throws: ``AccountsError/badPassword`` unless it has 10 to 1024 bytes of UTF-8, as it was typed and in its form.
    init(_ text: String) throws(AccountsError) {
        guard Self.lengths.contains(text.utf8.count) else { throw .badPassword }
        let bytes = Array(text.precomposedStringWithCompatibilityMapping.utf8)
        guard Self.lengths.contains(bytes.count) else { throw .badPassword }
        self.bytes = bytes
    }
}
