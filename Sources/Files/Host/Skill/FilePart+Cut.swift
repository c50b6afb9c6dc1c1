import Files
import Foundation
import Kernel

extension FilePart.Content {
    /// Takes as much of `bytes` as fits into an answer.
    ///
    /// - Parameters:
    ///   - isText: Text is wanted; bytes that are none stay bytes.
    ///   - mayEndInside: The file goes on after these bytes, so that a character cut at the end is no damage.
    init(fitting bytes: [UInt8], isText: Bool, mayEndInside: Bool) {
        if isText {
            var end = 0
            var cost = 0
            while end < bytes.count {
                cost += AnswerCost.of(bytes[end])
                guard cost <= AnswerCost.budget else { break }
                end += 1
            }
            var whole = bytes[..<end]
            if end < bytes.count || mayEndInside { whole = whole.dropLast(UTF8Check.cutSuffix(of: whole)) }
            if UTF8Check.isValid(whole), !whole.isEmpty || bytes.isEmpty {
                self = .text(String(decoding: whole, as: UTF8.self))
                return
            }
        }
        self = .data(Data(bytes.prefix(AnswerCost.budget / 4 * 3)))
    }
}
