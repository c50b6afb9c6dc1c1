/// Which of the last 1024 numbers were seen. Those below count as seen.
struct ReplayWindow: Sendable {
    static let width: UInt64 = 1024
    /// One word more than the window is wide, so that the words of the window never share a place.
    private static let wordCount = 17

    /// Bit n modulo 64 of word n / 64, modulo the count of words, stands for n.
    private var words = [UInt64](repeating: 0, count: wordCount)
    private var greatest: UInt64?

    func isNew(_ number: UInt64) -> Bool {
        guard let greatest else { return true }
        if number > greatest { return true }
        guard greatest - number < Self.width else { return false }
        return words[Self.word(of: number)] & Self.bit(of: number) == 0
    }

    /// Only for a number that is new, and whose record was verified.
    mutating func insert(_ number: UInt64) {
        let old = greatest.map { $0 / 64 }
        if number >= greatest ?? 0 {
            // The words that come into the window still hold what was there a turn ago.
            let entered = old.map { min(number / 64 - $0, UInt64(Self.wordCount)) } ?? 0
            for step in 0..<entered { words[Int((number / 64 - step) % UInt64(Self.wordCount))] = 0 }
            greatest = number
        }
        words[Self.word(of: number)] |= Self.bit(of: number)
    }

    private static func word(of number: UInt64) -> Int { Int(number / 64 % UInt64(wordCount)) }
    private static func bit(of number: UInt64) -> UInt64 { 1 << (number % 64) }
}
