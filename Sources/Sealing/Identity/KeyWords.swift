/// Pronounceable words for bytes, as in proquints: each two bytes make a word of five letters, consonants and vowels in turn.
/// No two letters sound alike, so no list of words is needed and every language can read them.
enum KeyWords {
    private static let consonants = Array("bdfghjklmnprstvz")
    private static let vowels = Array("aiou")

    /// - Parameter bytes: An even number of bytes.
    static func text(for bytes: some Collection<UInt8>) -> String {
        let bytes = Array(bytes)
        return stride(from: 0, to: bytes.count - 1, by: 2)
            .map { word(for: Int(bytes[$0]) << 8 | Int(bytes[$0 + 1])) }
            .joined(separator: "-")
    }

    private static func word(for value: Int) -> String {
        String([
            consonants[value >> 12 & 15], vowels[value >> 10 & 3], consonants[value >> 6 & 15],
            vowels[value >> 4 & 3], consonants[value & 15],
        ])
    }
}
