/// A path below the root of a ``FileSystemPort``: names joined by `/`. The root itself is the empty path. It never leads out of the root.
package struct StorePath: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// Bytes of a whole path. Linux takes 4,095 with the root in front.
    static let byteLimit = 1024
    /// Bytes of one name, on Linux and on Apple's systems.
    static let nameByteLimit = 255

    package static let root = StorePath(checked: "")

    package let text: String

    /// - Throws: ``GenerationsError/badPath(_:)`` for an empty path, an empty name, `.`, `..`, a backslash, a NUL, or one that is too long.
    package init(_ text: String) throws(GenerationsError) {
        guard Self.isAcceptable(text) else { throw .badPath(String(text.prefix(200))) }
        self.text = text
    }

    /// A path of the program itself.
    package init(stringLiteral text: StaticString) {
        let text = "\(text)"
        precondition(Self.isAcceptable(text), "a path of the program is none")
        self.text = text
    }

    private init(checked text: String) { self.text = text }

    private static func isAcceptable(_ text: String) -> Bool {
        guard (1...byteLimit).contains(text.utf8.count),
            !text.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\\") })
        else { return false }
        return text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { name in
            (1...nameByteLimit).contains(name.count) && !name.elementsEqual(".".utf8) && !name.elementsEqual("..".utf8)
        }
    }

    package func appending(_ path: StorePath) -> StorePath {
        guard !text.isEmpty else { return path }
        return path.text.isEmpty ? self : StorePath(checked: text + "/" + path.text)
    }

    /// The folder that it is in; the root's is the root.
    package var parent: StorePath {
        guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")) else { return .root }
        return StorePath(checked: String(text[..<slash]))
    }

    /// The last name.
    package var name: String {
        guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")) else { return text }
        return String(text[text.utf8.index(after: slash)...])
    }

    package var description: String { text }
}
