import Files
import Foundation
import Kernel

/// A part of a file as text or base64, cut so that its answer fits into a message.
struct FileContent: Sendable {
    let text: String
    let encoding: String
    /// Bytes of the file in it.
    let count: Int

    /// - Parameters:
    ///   - isText: Text is wanted; bytes that are none become base64, and `encoding` says so.
    ///   - mayEndInside: The file goes on after these bytes, so that a character cut at the end is no damage.
    init(_ bytes: [UInt8], isText: Bool, mayEndInside: Bool) {
        if isText {
            var end = 0
            var cost = 0
            while end < bytes.count {
                cost += FileAnswer.cost(of: bytes[end])
                guard cost <= FileAnswer.budget else { break }
                end += 1
            }
            var whole = bytes[..<end]
            if end < bytes.count || mayEndInside { whole = Self.withoutCutCharacter(whole) }
            if UTF8Check.isValid(whole), !whole.isEmpty || bytes.isEmpty {
                text = String(decoding: whole, as: UTF8.self)
                encoding = "utf-8"
                count = whole.count
                return
            }
        }
        let part = bytes.prefix(FileAnswer.budget / 4 * 3)
        text = Data(part).base64EncodedString()
        encoding = "base64"
        count = part.count
    }

    private static func withoutCutCharacter(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        for length in 1...3 where bytes.count >= length {
            let lead = bytes[bytes.endIndex - length]
            if lead & 0xC0 == 0x80 { continue }
            let needed = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1
            return needed > length ? bytes.dropLast(length) : bytes
        }
        return bytes
    }
}
