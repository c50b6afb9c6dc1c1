/// The place of a file below the folder `Media`: two to eight components, as `Images/2026/11/UUID.heic`. No such path leads out of the folder.
package struct MediaPath: Hashable, Sendable {
    package let text: String

    /// - Parameter text: With `/` between components. Nil for one that is absolute, has `.`, `..`, empty, hidden or overlong components, a
    ///   backslash, a colon or a control character.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (2...8).contains(parts.count), parts.allSatisfy({ Self.isComponent($0) }) else { return nil }
        self.text = text
    }

    /// The last component.
    package var fileName: String { text.split(separator: "/").last.map(String.init) ?? text }

    /// Whether a text can be the name of one file.
    static func isComponent(_ text: some StringProtocol) -> Bool {
        guard (1...255).contains(text.utf8.count), text.first != "." else { return false }
        return text.unicodeScalars.allSatisfy {
            $0.value >= 0x20 && $0.value != 0x7F && !"/\\:".unicodeScalars.contains($0)
        }
    }
}
