package import Foundation
import Sealing

/// The name of a blob, and its place in the store's folder: `chat/image/2026/03/20/` and 26 letters and digits with an extension. The store
/// mints it.
///
/// It is for file names as well as for addresses: small letters, digits, hyphens, slashes and one dot, and neither `..` nor an underscore can
/// be in it.
package struct BlobKey: Hashable, Sendable, CustomStringConvertible {
    /// Bytes of a whole key at most.
    package static let lengthLimit = 200
    private static let folderPartLimit = 4
    private static let nameLength = 26
    /// Base32 (RFC 4648, section 6) in small letters.
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    package let description: String

    /// Nil for anything but a key that a store could have made.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.lengthLimit else { return nil }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 4, Self.isFolder(parts.dropLast(4).joined(separator: "/")) else { return nil }
        let date = parts.suffix(4).dropLast()
        guard date.map(\.utf8.count) == [4, 2, 2], date.allSatisfy({ $0.utf8.allSatisfy(Self.isDigit) }) else {
            return nil
        }
        let name = parts[parts.count - 1].split(separator: ".", omittingEmptySubsequences: false)
        guard name.count == 2, name[0].utf8.count == Self.nameLength, name[0].utf8.allSatisfy(Self.alphabet.contains),
            (1...5).contains(name[1].utf8.count), name[1].utf8.allSatisfy(Self.isSmallLetterOrDigit)
        else { return nil }
        description = text
    }

    private init(checked: String) { description = checked }

    /// A key that nobody guesses.
    ///
    /// - Parameters:
    ///   - folder: The kind's.
    ///   - date: Its day in UTC is part of the key.
    ///   - fileExtension: Without the dot.
    package static func make(in folder: String, at date: Date, fileExtension: String) -> BlobKey {
        BlobKey(checked: "\(folder)/\(day(of: date))/\(token()).\(fileExtension)")
    }

    /// 26 letters and digits out of 128 random bits.
    static func token() -> String {
        var letters: [UInt8] = []
        var (bits, count) = (0, 0)
        for byte in RandomBytes.make(16) {
            bits = bits << 8 | Int(byte)
            count += 8
            while count >= 5 {
                count -= 5
                letters.append(alphabet[bits >> count & 31])
            }
            bits &= 31
        }
        letters.append(alphabet[bits << (5 - count) & 31])
        return String(decoding: letters, as: UTF8.self)
    }

    static func isToken(_ text: String) -> Bool {
        text.utf8.count == nameLength && text.utf8.allSatisfy(alphabet.contains)
    }

    /// Whether a kind may have its keys there.
    static func isFolder(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return (1...folderPartLimit).contains(parts.count)
            && parts.allSatisfy { part in
                (1...24).contains(part.utf8.count)
                    && part.utf8.allSatisfy { isSmallLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
            }
    }

    /// The parts of the path to its file.
    package var parts: [Substring] { description.split(separator: "/") }

    /// The folder of its day, with the kind's.
    package var day: Substring { description[..<(description.lastIndex(of: "/") ?? description.startIndex)] }

    /// The last part.
    package var name: String { parts.last.map(String.init) ?? description }

    /// Whether it is one of a kind that has this folder.
    package func isIn(_ folder: String) -> Bool { parts.dropLast(4).joined(separator: "/") == folder }

    /// `yyyy/MM/dd` in UTC, by the civil calendar's arithmetic, with which years have 365.2425 days from a first of March on.
    private static func day(of date: Date) -> String {
        let days = Int((date.timeIntervalSince1970 / 86_400).rounded(.down)) + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shifted + 2) / 5 + 1
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return [(year, 4), (month, 2), (day, 2)].map { number, width in
            let text = String(min(max(0, number), 9999))
            return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
        }.joined(separator: "/")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isSmallLetterOrDigit(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) || isDigit(byte) }
}
