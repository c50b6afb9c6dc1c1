import Foundation
import Kernel
import Sealing

/// What was answered to which message: the same bytes get the same answer, and never a second decision.
struct PairingAnswers: Sendable {
    enum Answer: Sendable {
        /// A person is still deciding.
        case undecided
        case message(JSONValue, to: String)
    }

    private struct Entry: Sendable {
        var answer: Answer
        var did: DID?
        var at: Date
    }

    /// Longer than any code lives, so that a repeat is a repeat until its code means nothing any more.
    private static let lifetime: TimeInterval = 900
    private static let capacity = 256

    private var entries: [[UInt8]: Entry] = [:]

    subscript(digest: [UInt8]) -> Answer? { entries[digest]?.answer }

    mutating func keep(_ answer: Answer, for digest: [UInt8], did: DID? = nil, now: Date) {
        if entries.count >= Self.capacity {
            entries = entries.filter { now.timeIntervalSince($0.value.at) < Self.lifetime }
        }
        if entries.count >= Self.capacity, let oldest = entries.min(by: { $0.value.at < $1.value.at })?.key {
            entries[oldest] = nil
        }
        entries[digest] = Entry(answer: answer, did: did, at: now)
    }

    /// The pairing with `did` is over: what was said yes to is now answered with `answer`.
    mutating func replace(answersTo did: DID, by answer: (_ given: JSONValue, _ recipient: String) -> Answer) {
        for (digest, entry) in entries where entry.did == did {
            guard case .message(let given, let recipient) = entry.answer else { continue }
            entries[digest]?.answer = answer(given, recipient)
        }
    }
}
