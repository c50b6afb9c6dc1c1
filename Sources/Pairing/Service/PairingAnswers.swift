import Foundation
import Kernel
import Sealing

/// The answers that were given, by digest of the message: repeated bytes get the same answer, and never a second decision.
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

    /// How long an answer is kept. It is longer than any code lives, so that a repeat is recognised for as long as its code counts.
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

    /// Replaces the answers given to `did`, whose pairing is over, by those that `answer` makes.
    mutating func replace(answersTo did: DID, by answer: (_ given: JSONValue, _ recipient: String) -> Answer) {
        for (digest, entry) in entries where entry.did == did {
            guard case .message(let given, let recipient) = entry.answer else { continue }
            entries[digest]?.answer = answer(given, recipient)
        }
    }
}
