import Commands
package import Foundation
package import Kernel
package import Rights

/// Who did what at this computer, without contents: never a parameter, never an answer.
package struct AuditEntry: Hashable, Sendable {
    package enum Actor: String, Hashable, Sendable {
        case phone
        /// The owner of the computer decided something about a phone.
        case owner
    }

    package enum Outcome: Hashable, Sendable {
        /// What came of it is not known (yet): it runs, or the computer's program ended meanwhile.
        case begun
        case done
        /// The gate said no.
        case refused(code: Int)
        /// It ran and failed.
        case failed(code: Int)
    }

    package var actor: Actor
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
    package var count: Int
    /// What the owner decided, for example the rights that were given.
    package var detail: String?

    package init(
        actor: Actor = .phone,
        caller: String,
        name: String,
        method: String,
        risk: Risk,
        outcome: Outcome,
        date: Date,
        count: Int = 1,
        detail: String? = nil
    ) {
        self.actor = actor
        self.caller = caller
        self.name = name
        self.method = method
        self.risk = risk
        self.outcome = outcome
        self.date = date
        self.count = count
        self.detail = detail
    }

    /// What the owner did to a device.
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

    /// For the command line and the page.
    package var json: JSONValue {
        var members: [String: JSONValue] = [
            "device": .string(caller), "name": .string(name), "method": .string(method), "risk": .string(risk.rawValue),
            "at": .integer(date.millisecondsSince1970), "count": .integer(Int64(count)),
            "outcome": .string(outcome.word), "by": .string(actor.rawValue),
        ]
        if let code = outcome.code {
            members["code"] = .integer(Int64(code))
            members["reason"] = .string(FailureCode.words(for: code))
        }
        if let detail { members["detail"] = .string(detail) }
        return .object(members)
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
