/// A sliding window that remembers which of the last 1024 sequence numbers were seen. Lower ones count as seen.
struct ReplayWindow: Sendable {
    static let width: UInt64 = 1024
    /// One word more than the window's width, so that words in the window never share a place.
    private static let wordCount = 17

    /// The bits of the seen numbers: bit n modulo 64 of word n / 64, modulo the count of words, stands for n.
    private var words = [UInt64](repeating: 0, count: wordCount)
    private var greatest: UInt64?

    func isNew(_ number: UInt64) -> Bool {
        guard let greatest else { return true }
        if number > greatest { return true }
        guard greatest - number < Self.width else { return false }
        return words[Self.word(of: number)] & Self.bit(of: number) == 0
    }

    /// Marks a number as seen. Call it only for a new number whose record was verified.
    mutating func insert(_ number: UInt64) {
        let old = greatest.map { $0 / 64 }
        if number >= greatest ?? 0 {
            // The words that enter the window still hold the bits of an earlier turn.
            let entered = old.map { min(number / 64 - $0, UInt64(Self.wordCount)) } ?? 0
            for step in 0..<entered { words[Int((number / 64 - step) % UInt64(Self.wordCount))] = 0 }
            greatest = number
        }
        words[Self.word(of: number)] |= Self.bit(of: number)
    }

    private static func word(of number: UInt64) -> Int { Int(number / 64 % UInt64(wordCount)) }
    private static func bit(of number: UInt64) -> UInt64 { 1 << (number % 64) }
}
