package import Foundation
import Kernel

/// When a service asks to be tried again (RFC 9110 section 10.2.3).
package enum RetryAfter {
    /// Longer waits are cut to this: a service must not silence a sender for days.
    package static let longest = Duration.seconds(3600)

    /// - Parameters:
    ///   - text: Seconds, or a date of HTTP.
    ///   - now: The date that such a date is compared with.
    /// - Returns: Zero to ``longest``; nil for what is neither.
    package static func parse(_ text: String, now: Date) -> Duration? {
        guard text.utf8.count <= 40 else { return nil }
        let text = text.trimmingCharacters(in: .whitespaces)
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // A number that does not fit is longer than the longest, too.
            return Int64(text).map { min(.seconds($0), longest) } ?? longest
        }
        guard let date = HTTPDate.parse(text, now: now) else { return nil }
        let seconds = min(max(0, date.timeIntervalSince(now).rounded(.up)), 3600)
        return .seconds(Int64(seconds))
    }
}
