import Foundation
import Kernel

/// When an authority asks to be tried again (RFC 9110 section 10.2.3).
enum RetryAfter {
    /// Longer waits are cut to this. Let's Encrypt's longest bound counts the certificates of a week.
    static let longest: TimeInterval = 7 * 86_400

    /// - Returns: Nil for what is neither seconds nor a date.
    static func parse(_ text: String, now: Date) -> Date? {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard (1...40).contains(text.utf8.count) else { return nil }
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return now.addingTimeInterval(min(Double(text) ?? longest, longest))
        }
        return HTTPDate.parse(text, now: now).map { min(max($0, now), now.addingTimeInterval(longest)) }
    }
}
