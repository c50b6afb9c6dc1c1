import Commands
package import Foundation
import Kernel
package import Rights

/// An entry of the audit log: the device, its act and the outcome, without contents: never a parameter, never an answer.
package struct AuditEntry: Hashable, Sendable {
    package enum Actor: String, Codable, Hashable, Sendable {
        case phone
        /// The owner of the computer decided something about a phone.
        case owner
    }

    package enum Outcome: Hashable, Sendable {
        /// The outcome is not known (yet): it runs, or the computer's program ended meanwhile.
        case begun
        case done
        /// The gate said no.
        case refused(code: Int)
        /// It ran and failed.
        case failed(code: Int)
    }

    package var actor = Actor.phone
    /// The device's DID: the one that did it, or that the owner decided about.
    package var caller: String
    /// The device's name at that time.
    package var name: String
    package var method: String
    package var risk: Risk
    package var outcome: Outcome
    /// When it happened; the last time, if it did more than once.
    package var date: Date
    /// How often within a minute: keystrokes are one line.
    package var count = 1
    /// The owner's decision, for example the rights that were given.
    package var detail: String?
}

extension AuditEntry {
    /// The entry for an act of a device.
    init(_ outcome: Outcome, _ method: String, risk: Risk, _ caller: Caller, date: Date) {
        self.init(caller: caller.id, name: caller.name, method: method, risk: risk, outcome: outcome, date: date)
    }

    /// The entry for an act of the owner on a device.
    ///
    /// - Parameter act: The command's words, for example `devices allow`.
    package static func owner(
        _ act: String,
        _ device: String,
        name: String,
        detail: String? = nil,
        date: Date
    ) -> AuditEntry {
        AuditEntry(
            actor: .owner,
            caller: device,
            name: name,
            method: act,
            risk: .privileged,
            outcome: .done,
            date: date,
            detail: detail
        )
    }

    /// Why it was not done; nil where it was.
    package var reason: String? { outcome.code.map { FailureCode.words(for: $0) } }
}

/// The form for commands and pages.
extension AuditEntry: Codable {
    private enum CodingKeys: String, CodingKey {
        case device, name, method, risk, at, count, outcome, by, code, reason, detail
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let word = try members.decode(String.self, forKey: .outcome)
        guard let outcome = Outcome(word: word, code: try members.decodeIfPresent(Int.self, forKey: .code)) else {
            throw DecodingError.dataCorruptedError(forKey: .outcome, in: members, debugDescription: "unknown")
        }
        self.init(
            actor: try members.decode(Actor.self, forKey: .by),
            caller: try members.decode(String.self, forKey: .device),
            name: try members.decode(String.self, forKey: .name),
            method: try members.decode(String.self, forKey: .method),
            risk: try members.decode(Risk.self, forKey: .risk),
            outcome: outcome,
            date: Date(millisecondsSince1970: try members.decode(Int64.self, forKey: .at)),
            count: try members.decode(Int.self, forKey: .count),
            detail: try members.decodeIfPresent(String.self, forKey: .detail)
        )
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(caller, forKey: .device)
        try members.encode(name, forKey: .name)
        try members.encode(method, forKey: .method)
        try members.encode(risk, forKey: .risk)
        try members.encode(date.millisecondsSince1970, forKey: .at)
        try members.encode(count, forKey: .count)
        try members.encode(outcome.word, forKey: .outcome)
        try members.encode(actor, forKey: .by)
        try members.encodeIfPresent(outcome.code, forKey: .code)
        try members.encodeIfPresent(reason, forKey: .reason)
        try members.encodeIfPresent(detail, forKey: .detail)
    }
}

extension AuditEntry.Outcome {
    package var word: String {
        switch self {
        case .begun: "begun"
        case .done: "done"
        case .refused: "refused"
        case .failed: "failed"
        }
    }

    package var code: Int? {
        switch self {
        case .begun, .done: nil
        case .refused(let code), .failed(let code): code
        }
    }

    init?(word: String, code: Int?) {
        switch (word, code) {
        case ("begun", nil): self = .begun
        case ("done", nil): self = .done
        case ("refused", let code?): self = .refused(code: code)
        case ("failed", let code?): self = .failed(code: code)
        default: return nil
        }
    }
}
