/// Colours and attributes of what is written next (SGR).
struct TerminalStyle: Hashable {
    /// The codes that switch each attribute on, by the code that switches it off.
    private static let ends: [Int: [Int]] = [
        22: [1, 2], 23: [3], 24: [4, 21], 25: [5, 6], 27: [7], 28: [8], 29: [9], 55: [53],
    ]
    private static let attributes = Set(ends.values.joined())
    private static let foreground = 38
    private static let background = 48
    private static let underline = 58

    /// The parameters that switch an attribute on, by the attribute's code.
    private var attributes: [Int: String] = [:]
    /// The parameters that set a colour, by the code of the part that is coloured.
    private var colours: [Int: String] = [:]

    mutating func apply(_ parameters: String) {
        let parts = parameters.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        var at = 0
        while at < max(1, parts.count) {
            let part = at < parts.count ? parts[at] : ""
            at += 1
            // `4:3` and `38:2::1:2:3` stand for themselves.
            let code = Int(part.prefix { $0 != ":" }) ?? 0
            switch code {
            case 0: self = TerminalStyle()
            case 4 where part.hasSuffix(":0"): attributes[4] = nil
            case Self.foreground, Self.background, Self.underline:
                if part.contains(":") {
                    colours[code] = part
                } else {
                    let count = at < parts.count ? ["5": 2, "2": 4][parts[at]] ?? 1 : 0
                    guard count > 1, at + count <= parts.count else {
                        at = parts.count
                        continue
                    }
                    colours[code] = ([part] + parts[at..<at + count]).joined(separator: ";")
                    at += count
                }
            case 30...37, 90...97: colours[Self.foreground] = part
            case 40...47, 100...107: colours[Self.background] = part
            case 39, 49, 59: colours[code - 1] = nil
            default:
                if Self.attributes.contains(code) { attributes[code] = part }
                for ended in Self.ends[code] ?? [] { attributes[ended] = nil }
            }
        }
    }

    var sequence: String {
        let on =
            attributes.keys.sorted().compactMap { attributes[$0] } + colours.keys.sorted().compactMap { colours[$0] }
        return "\u{1B}[\((["0"] + on).joined(separator: ";"))m"
    }
}
