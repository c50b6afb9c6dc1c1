import Kernel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A name of the DNS that a certificate can be for, in lower case.
public struct CertificateName: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The names that one certificate may have here; authorities allow 100.
    public static let most = 20
    private static let longest = 253
    /// Names that no authority outside of a network can look up (RFC 6761, RFC 6762, RFC 8375, RFC 9476).
    private static let localEndings: Set = [
        "local", "localhost", "internal", "lan", "home", "arpa", "invalid", "alt", "onion",
    ]

    public let text: String

    /// - Parameter allowsLocal: Whether names of a network's own are allowed, for an authority of that network.
    /// - Throws: ``ACMEError/badName(_:_:)``.
    public init(_ typed: String, allowsLocal: Bool = false) throws(ACMEError) {
        let shown = TerminalText.line(String(typed.prefix(80)))
        guard typed.utf8.allSatisfy({ $0 < 0x80 }) else { throw .badName(shown, .notASCII) }
        var name = typed.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        if name.hasPrefix("*.") { throw .badName(shown, .wildcard) }
        if Self.isAddress(name) { throw .badName(shown, .address) }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard name.utf8.count <= Self.longest, labels.allSatisfy(Self.isLabel), let last = labels.last,
            last.utf8.contains(where: { !(0x30...0x39).contains($0) })
        else { throw .badName(shown, .malformed) }
        if !allowsLocal, labels.count < 2 || Self.localEndings.contains(String(last)) { throw .badName(shown, .local) }
        text = name
    }

    public var description: String { text }

    public static func < (one: CertificateName, other: CertificateName) -> Bool { one.text < other.text }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
            && label.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }

    private static func isAddress(_ text: String) -> Bool {
        let plain = text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
        var bytes = [UInt8](repeating: 0, count: 16)
        return inet_pton(AF_INET, plain, &bytes) == 1 || inet_pton(AF_INET6, plain, &bytes) == 1
    }
}
