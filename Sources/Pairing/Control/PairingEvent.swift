package import Kernel

/// An event while a code is shown or a pairing runs. Its JSON has a member `event` beside those of its contents.
package enum PairingEvent: Hashable, Sendable {
    /// A code to show in place of the one before.
    case code(CodeEntry)
    /// A wrong code was typed, so other digits took the place of those shown.
    case digitsReplaced(CodeEntry)
    /// Too many wrong codes were typed; scanning still works.
    case digitsLocked(CodeEntry, until: Int64)
    case digitsUnlocked(CodeEntry)
    /// No server leads here by the digits, for the reason in the entry; scanning still works.
    case digitsUnreachable(CodeEntry)
    case digitsReachable(CodeEntry)
    /// A sender that goes on with wrong codes is ignored from now on.
    case interference
    case refused(RefusalEntry)
    case request(RequestEntry)
    /// The request was refused, or its time was over.
    case requestOver(RequestEntry)
    /// The device took its request back.
    case requestWithdrawn(RequestEntry)
    case paired(DeviceEntry)
    /// The code was used by a device that was not paired.
    case usedUp
    case expired
    /// The person took the code back.
    case hidden
    /// A step of the pairing in a sentence for the person.
    case step(PairingStep)
}

/// A step of a pairing that this side began, or the reason why one ended.
package struct PairingStep: Codable, Hashable, Sendable {

    package var event: String
    /// The sentence for the person; nil for a step of a newer version that has none.
    package var message: String?
    /// The words of the key that the other side shows too.
    package var key: String?
    /// The number that the person at the computer types.
    package var number: String?
    /// When the wait ends, in milliseconds since 1970.
    package var until: Int64?
    /// The name of the failure's case, as in `FailureFacts`.
    package var reason: String?
    /// The values that belong to ``reason``.
    package var values: JSONValue?

    package init(_ event: String, _ message: String, key: String? = nil) {
        self.event = event
        self.message = message
        self.key = key
    }

    /// The step of trying a scanned code that is over, or from the future, by this device's clock. Commands say it before they ask.
    package init(clocks doubt: PairingError) {
        event = "clocks"
        reason = doubt.facts.reason
        values = .object(doubt.facts.values)
    }

    package init(failure: any Error) {
        self.init("failed", "\(failure)")
        guard let facts = (failure as? any ClassifiedError)?.facts, facts.reason != nil else { return }
        reason = facts.reason
        values = .object(facts.values)
    }

    package init(_ progress: PairingProgress) {
        switch progress {
        case .identified(let key):
            self.init("key", "This phone's key is \(key): the computer must show the same.", key: key)
        case .waiting(let end):
            self.init("waiting", "Waiting for the person at the computer.")
            until = end.millisecondsSince1970
        case .compare(let digits):
            self.init("compare", "Type this number at the computer, where it asks for it: \(digits)")
            number = digits
        case .confirm(let digits):
            self.init("confirm", "Did the computer ask for \(digits), and does it say that this phone is paired?")
            number = digits
        }
    }
}

extension PairingEvent: Codable {
    private enum CodingKeys: String, CodingKey {
        case event, until
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        switch try members.decode(String.self, forKey: .event) {
        case "code": self = .code(try CodeEntry(from: decoder))
        case "digits-replaced": self = .digitsReplaced(try CodeEntry(from: decoder))
        case "digits-locked":
            self = .digitsLocked(try CodeEntry(from: decoder), until: try members.decode(Int64.self, forKey: .until))
        case "digits-unlocked": self = .digitsUnlocked(try CodeEntry(from: decoder))
        case "digits-unreachable": self = .digitsUnreachable(try CodeEntry(from: decoder))
        case "digits-reachable": self = .digitsReachable(try CodeEntry(from: decoder))
        case "interference": self = .interference
        case "refused": self = .refused(try RefusalEntry(from: decoder))
        case "request": self = .request(try RequestEntry(from: decoder))
        case "request-over": self = .requestOver(try RequestEntry(from: decoder))
        case "request-withdrawn": self = .requestWithdrawn(try RequestEntry(from: decoder))
        case "paired": self = .paired(try DeviceEntry(from: decoder))
        case "used-up": self = .usedUp
        case "expired": self = .expired
        case "hidden": self = .hidden
        default: self = .step(try PairingStep(from: decoder))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        let (name, content) = wire
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(name, forKey: .event)
        if case .digitsLocked(_, let until) = self { try members.encode(until, forKey: .until) }
        try content?.encode(to: encoder)
    }

    private var wire: (event: String, content: (any Encodable)?) {
        switch self {
        case .code(let shown): ("code", shown)
        case .digitsReplaced(let shown): ("digits-replaced", shown)
        case .digitsLocked(let shown, _): ("digits-locked", shown)
        case .digitsUnlocked(let shown): ("digits-unlocked", shown)
        case .digitsUnreachable(let shown): ("digits-unreachable", shown)
        case .digitsReachable(let shown): ("digits-reachable", shown)
        case .interference: ("interference", nil)
        case .refused(let refusal): ("refused", refusal)
        case .request(let request): ("request", request)
        case .requestOver(let request): ("request-over", request)
        case .requestWithdrawn(let request): ("request-withdrawn", request)
        case .paired(let device): ("paired", device)
        case .usedUp: ("used-up", nil)
        case .expired: ("expired", nil)
        case .hidden: ("hidden", nil)
        case .step(let step): (step.event, step)
        }
    }
}
