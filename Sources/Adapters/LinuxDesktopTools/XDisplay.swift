import Foundation

/// The X server that a DISPLAY names, where that is one of this machine.
struct XDisplay: Hashable, Sendable {
    let number: Int

    /// - Parameter text: `:0`, `unix:0` or `:0.1`. Nil for a server of another machine, or behind a tunnel.
    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].isEmpty || parts[0] == "unix",
            let number = Int(parts[1].prefix { $0 != "." }), (0...65_535).contains(number)
        else { return nil }
        self.number = number
    }

    /// As libraries take it.
    var name: String { ":\(number)" }
}

/// The file in which a session keeps the cookies of its X servers. Source: libXau, `AuRead.c`.
enum XAuthority {
    static let method = Array("MIT-MAGIC-COOKIE-1".utf8)
    /// The family of this machine's servers, and the one that stands for all.
    private static let families: Set<Int> = [256, 65_535]

    /// - Parameter file: Entries of a family and four texts, each number of two bytes, the higher one first.
    /// - Returns: Nil where it has none for this server.
    static func cookie(for display: XDisplay, in file: [UInt8]) -> [UInt8]? {
        var rest = file[...]
        func number() -> Int? {
            guard rest.count >= 2 else { return nil }
            let pair = rest.prefix(2)
            rest = rest.dropFirst(2)
            return pair.reduce(0) { $0 << 8 | Int($1) }
        }
        func text() -> [UInt8]? {
            guard let count = number(), rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        let host = Array(ProcessInfo.processInfo.hostName.utf8)
        while let family = number(), let address = text(), let number = text(), let name = text(), let data = text() {
            let isHere = families.contains(family) && (family != 256 || address == host)
            let isMeant = number.isEmpty || number == Array("\(display.number)".utf8)
            if isHere, isMeant, name == method { return data }
        }
        return nil
    }
}
