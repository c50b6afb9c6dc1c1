/// Where a phone listens: `host:port`, an IPv6 address in brackets.
public struct LinkAddress: Hashable, Sendable, CustomStringConvertible {
    public let host: String
    /// 1 to 65535.
    public let port: Int

    /// - Throws: ``MigrationTransferError/badAddress(what:)``.
    public init(_ text: String) throws(MigrationTransferError) {
        guard text.utf8.count <= 300, let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...]), port > 0
        else { throw .badAddress(what: String(text.prefix(300))) }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            throw .badAddress(what: text)
        }
        let isPlain = host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/?#@[]".utf8.contains($0) }
        guard !host.isEmpty, isPlain else { throw .badAddress(what: text) }
        (self.host, self.port) = (String(host), Int(port))
    }

    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
