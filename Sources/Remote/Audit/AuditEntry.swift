public import Foundation
public import Kernel

/// Who did what at this computer, without contents: never a parameter, never an answer.
public struct AuditEntry: Hashable, Sendable {
    public enum Actor: String, Hashable, Sendable {
        case phone
        /// The owner of the computer decided something about a phone.
        case owner
    }

    public enum Outcome: Hashable, Sendable {
        /// What came of it is not known (yet): it runs, or the computer's program ended meanwhile.
        case begun
        case done
        /// The gate said no.
        case refused(code: Int)
        /// It ran and failed.
        case failed(code: Int)
    }

    public var actor: Actor
    /// The device's DID: the one that did it, or that the owner decided about.
    public var caller: String
    /// The device's name at that time.
    public var name: String
    public var method: String
    public var risk: Risk
    public var outcome: Outcome
    /// When it happened; the last time, if it did more than once.
    public var date: Date
    /// How often within a minute: keystrokes are one line.
    public var count: Int
    /// What the owner decided, for example the rights that were given.
    public var detail: String?

    public init(
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
    public static func owner(
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
    public var json: JSONValue {
        var members: [String: JSONValue] = [
            "device": .string(caller), "name": .string(name), "method": .string(method), "risk": .string(risk.rawValue),
            "at": .integer(date.millisecondsSince1970), "count": .integer(Int64(count)),
            "outcome": .string(outcome.word), "by": .string(actor.rawValue),
        ]
        if let code = outcome.code {
            members["code"] = .integer(Int64(code))
            members["reason"] = .string(RemoteFailure.words(for: code))
        }
        if let detail { members["detail"] = .string(detail) }
        return .object(members)
    }
}

extension AuditEntry.Outcome {
    public var word: String {
        switch self {
        case .begun: "begun"
        case .done: "done"
        case .refused: "refused"
        case .failed: "failed"
        }
    }

    public var code: Int? {
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
