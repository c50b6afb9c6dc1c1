public import Foundation
public import Kernel

/// Who did what at this computer, without contents: never a parameter, never an answer.
public struct AuditEntry: Hashable, Sendable {
    public enum Outcome: Hashable, Sendable {
        case done
        /// The gate said no.
        case refused(code: Int)
        /// It ran and failed.
        case failed(code: Int)
    }

    /// The device's DID.
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

    public init(
        caller: String,
        name: String,
        method: String,
        risk: Risk,
        outcome: Outcome,
        date: Date,
        count: Int = 1
    ) {
        self.caller = caller
        self.name = name
        self.method = method
        self.risk = risk
        self.outcome = outcome
        self.date = date
        self.count = count
    }

    /// For the command line and the page.
    public var json: JSONValue {
        var members: [String: JSONValue] = [
            "device": .string(caller), "name": .string(name), "method": .string(method), "risk": .string(risk.rawValue),
            "at": .integer(date.millisecondsSince1970), "count": .integer(Int64(count)),
            "outcome": .string(outcome.word),
        ]
        if let code = outcome.code { members["code"] = .integer(Int64(code)) }
        return .object(members)
    }
}

extension AuditEntry.Outcome {
    public var word: String {
        switch self {
        case .done: "done"
        case .refused: "refused"
        case .failed: "failed"
        }
    }

    public var code: Int? {
        switch self {
        case .done: nil
        case .refused(let code), .failed(let code): code
        }
    }

    init?(word: String, code: Int?) {
        switch (word, code) {
        case ("done", nil): self = .done
        case ("refused", let code?): self = .refused(code: code)
        case ("failed", let code?): self = .failed(code: code)
        default: return nil
        }
    }
}
