import Foundation
import Kernel

/// What a terminal says and asks while a code is shown: a value that is told what happens and what is typed, and says what
/// to do next.
struct PairingDialogue {
    enum Action: Equatable {
        case say(String)
        /// The code, drawn or described.
        case show(JSONValue)
        /// Then ``done(with:)``.
        case call(method: String, params: JSONValue)
    }

    /// Whether a person can answer here; otherwise the commands are named.
    var canAsk: Bool
    /// Whether codes go on being shown when this one is over.
    let stays: Bool
    let role: Role
    /// Who waits for an answer, oldest first; the first was asked about.
    private var waiting: [JSONValue] = []
    private var hasShown = false

    init(canAsk: Bool, stays: Bool, role: Role) {
        self.canAsk = canAsk
        self.stays = stays
        self.role = role
    }

    // MARK: What happens

    mutating func take(_ event: JSONValue) -> [Action] {
        let name = event["name"]?.stringValue ?? "The device"
        switch event["event"]?.stringValue {
        case "code":
            // Into a file or a log goes one code: the others are those of other commands, which print them themselves.
            guard canAsk || !hasShown else { return [] }
            hasShown = true
            return [.show(event)]
        case "digits-replaced":
            return [
                .say(
                    "A wrong code was typed; someone may be interfering. These digits take the place of the others, and the "
                        + "code to scan stays the same:\n  \(Self.digits(event))"
                )
            ]
        case "digits-locked":
            return [
                .say(
                    "Too many wrong codes were typed; someone may be interfering. No code can be typed until "
                        + "\(Self.clock(event["until"]?.integerValue)). Scanning still works."
                )
            ]
        case "digits-unlocked": return [.say("Codes can be typed again:\n  \(Self.digits(event))")]
        case "interference":
            return [
                .say("Somebody sends wrong codes, and is not listened to any more. The code to scan is not affected.")
            ]
        case "request": return asked(event)
        case "request-over": return over(event, saying: "The request of \(name) is over.")
        case "paired":
            let key = event["fingerprint"]?.stringValue.map { " Its key: \($0)" } ?? ""
            return over(event, saying: "Paired with \(name).\(key)")
        case "used-up": return [.say("The code is used up. \(next)")]
        case "expired": return [.say("The code has expired. \(next)")]
        default: return event["message"]?.stringValue.map { [.say($0)] } ?? []
        }
    }

    private var next: String {
        stays ? "Here is another one to scan." : "Make a new one with: tandem pair show --role \(role.rawValue)"
    }

    private mutating func asked(_ request: JSONValue) -> [Action] {
        guard canAsk else { return [.say(PairingText.request(request) + "\n" + PairingText.commands(request))] }
        waiting.append(request)
        guard waiting.count == 1 else {
            return [.say("\(request["name"]?.stringValue ?? "Another device") asks too; you are asked next.")]
        }
        return question
    }

    /// - Parameter event: Names the device by its key, or the request by its id.
    private mutating func over(_ event: JSONValue, saying sentence: String) -> [Action] {
        let wasAsked = waiting.first
        waiting.removeAll { request in
            ["id", "fingerprint"].contains { event[$0] != nil && event[$0] == request[$0] }
        }
        return [.say(sentence)] + (waiting.first == wasAsked ? [] : question)
    }

    private var question: [Action] {
        guard let request = waiting.first else { return [] }
        let lines = [PairingText.request(request), PairingText.offers(request), prompt(request)]
        return [.say(lines.compactMap(\.self).joined(separator: "\n"))]
    }

    private func prompt(_ request: JSONValue) -> String {
        let more = request["offers"]?.arrayValue?.isEmpty == false
        guard request["number"]?.boolValue == true else {
            return more ? "Accept? y or n; \"y 1 3\" accepts it and allows 1 and 3:" : "Accept? y or n:"
        }
        return "Type the six digits that the phone shows"
            + (more ? ", then the numbers of what you allow it, if any" : "") + "; or n:"
    }

    // MARK: What is typed

    mutating func answer(_ line: String) -> [Action] {
        let words = line.split(whereSeparator: { " ,\t\r".contains($0) }).map(String.init)
        guard let request = waiting.first else {
            // No device asks to pair: with return the person asks for a code with digits.
            return stays && words.isEmpty ? [.call(method: "pair.show", params: [:])] : []
        }
        guard let first = words.first?.lowercased(), !["n", "no"].contains(first) else {
            return words.isEmpty ? [.say(prompt(request))] : [.call(method: "pair.reject", params: Self.id(request))]
        }
        if request["number"]?.boolValue == true { return accept(request, words) }
        guard ["y", "yes"].contains(first) else { return [.say("Please type y or n.\n" + prompt(request))] }
        return accept(request, ["y"] + words.dropFirst())
    }

    private func accept(_ request: JSONValue, _ words: [String]) -> [Action] {
        var words = words
        var number = ""
        // In groups or in one: digits until there are six.
        if words.first == "y" {
            words.removeFirst()
        } else {
            while number.count < 6, let group = words.first, group.allSatisfy({ $0.isASCII && $0.isNumber }) {
                number += words.removeFirst()
            }
            guard number.count == 6 else { return [.say("That is no number of six digits.\n" + prompt(request))] }
        }
        let offers = (request["offers"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
        var allowed: [JSONValue] = []
        for word in words {
            guard let place = Int(word) else {
                allowed.append(.string(word))  // by its name; the computer knows which there are
                continue
            }
            guard offers.indices.contains(place - 1) else {
                return [.say("There is no \(word) in the list.\n" + prompt(request))]
            }
            allowed.append(.string(offers[place - 1]))
        }
        let params = Self.id(request)
            .adding("number", number.isEmpty ? .null : .string(number))
            .adding("allow", allowed.isEmpty ? .null : .array(allowed))
        return [.call(method: "pair.accept", params: params)]
    }

    private static func id(_ request: JSONValue) -> JSONValue { ["id": request["id"] ?? .null] }

    /// What was called for is done, or was refused for a reason.
    mutating func done(with failure: String?) -> [Action] {
        guard let failure else {
            guard !waiting.isEmpty else { return [] }
            waiting.removeFirst()
            return question
        }
        return [.say(failure)] + question
    }

    // MARK: Words

    private static func digits(_ event: JSONValue) -> String {
        PairingText.grouped(event["code"]?.stringValue ?? "")
    }

    private static func clock(_ milliseconds: Int64?) -> String {
        Date(millisecondsSince1970: milliseconds ?? 0).formatted(date: .omitted, time: .standard)
    }
}
