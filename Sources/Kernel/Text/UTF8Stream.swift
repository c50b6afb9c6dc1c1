/// Turns bytes that come in pieces into text: a character cut in two is kept whole, wrong bytes become U+FFFD.
public struct UTF8Stream {
    /// The beginning of a character whose end has not come, at most three bytes.
    private var pending: [UInt8] = []

    public init() {}

    /// The text of the characters that are whole by now.
    public mutating func decode(_ bytes: [UInt8]) -> String {
        let all = pending.isEmpty ? bytes : pending + bytes
        let cut = all.count - UTF8Check.cutSuffix(of: all)
        pending = Array(all[cut...])
        return cut == all.count ? String(decoding: all, as: UTF8.self) : String(decoding: all[..<cut], as: UTF8.self)
    }

    /// Ends the stream: a character that stays incomplete becomes U+FFFD.
    public mutating func finish() -> String {
        defer { pending = [] }
        return String(decoding: pending, as: UTF8.self)
    }
}
