/// How long a text becomes in an answer, so that what does not fit any more is left for the next one.
enum AnswerCost {
    /// The bytes an answer may hold so that its message stays below 700,000 bytes, also as a JSON text inside a JSON text.
    static let budget = 640_000

    /// The cost of an entry: names and quotes of 15 members with 34 quotes, the numbers, and its path and name.
    static func entry(path: String) -> Int { 480 + 2 * of(path.utf8) }

    /// The bytes of `text` in a JSON text that is itself a text in a message: the longest form an asker may want.
    static func of(_ text: some Sequence<UInt8>) -> Int { text.reduce(0) { $0 + of($1) } }

    static func of(_ byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): 4
        case 0x09, 0x0A, 0x0D: 3
        case 0..<0x20: 7
        default: 1
        }
    }
}
