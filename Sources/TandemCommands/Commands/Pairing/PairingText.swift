import Foundation
import Kernel
import Synchronization

/// What the pairing commands say to a person.
enum PairingText {
    /// `482 913 7306`: groups that are easy to carry from one screen to the other.
    static func grouped(_ digits: String) -> String {
        let groups = [digits.prefix(3), digits.dropFirst(3).prefix(3), digits.dropFirst(6)]
        return groups.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Who asks, and everything that helps to decide.
    static func request(_ item: JSONValue) -> String {
        let item = item.forTerminal
        let name = item["name"]?.stringValue ?? "A device"
        let platform = item["platform"]?.stringValue ?? "unknown system"
        var lines = ["\(name) (\(platform)) asks to be paired. Request \(item["id"]?.stringValue ?? "")"]
        if let key = item["fingerprint"]?.stringValue {
            lines.append("  its key: \(key); the phone must show the same")
        }
        if item["identityChanged"]?.boolValue == true {
            let known = item["knownName"]?.stringValue ?? "The device"
            let key = item["knownFingerprint"]?.stringValue ?? "another one"
            lines.append("  KNOWN WITH ANOTHER KEY: \(known), \(key). Say yes only if that phone was set up anew")
        }
        if item["number"]?.boolValue == true { lines.append("  it shows six digits, which are typed here") }
        if item["endToEnd"]?.boolValue != true {
            lines.append("  NOT sealed end to end: whoever carries its messages can read and change them")
        }
        return lines.joined(separator: "\n")
    }

    /// What can be given together with the yes, numbered from one.
    static func offers(_ item: JSONValue) -> String? {
        let offers = item["offers"]?.arrayValue ?? []
        guard !offers.isEmpty else { return nil }
        let width = offers.compactMap { $0["name"]?.stringValue?.count }.max() ?? 0
        let lines = offers.enumerated().map { index, offer in
            let name = offer["name"]?.stringValue ?? ""
            let space = String(repeating: " ", count: width - name.count + 2)
            return "    \(index + 1) \(name)\(space)\(offer["meaning"]?.stringValue ?? "")"
        }
        let start = "  It can see how this computer is doing, and be told things. You may allow it more, now or later:"
        return ([start] + lines).joined(separator: "\n")
    }

    /// What to type where no person can be asked.
    static func commands(_ item: JSONValue) -> String {
        let id = item["id"]?.stringValue ?? ""
        let number = item["number"]?.boolValue == true ? " --number SIX-DIGITS" : ""
        return "  yes: tandem pair accept \(id)\(number)     no: tandem pair reject \(id)"
    }

    /// What to do with a code.
    static func instructions(_ shown: JSONValue, role: Role) -> String {
        guard role == .desktop else {
            return "Scan this on the computer: tandem pair scan --role desktop. \(lifetime)\n"
                + "This phone's key: \(shown["ownFingerprint"]?.stringValue ?? "")"
        }
        guard shown["typed"]?.boolValue == true else { return "Scan this with the phone. \(lifetime)" }
        return "Scan this with the phone, or type there: \(grouped(shown["code"]?.stringValue ?? "")). \(lifetime)"
    }

    /// The same where no code to scan is in sight; nil where there are no digits.
    static func typing(_ shown: JSONValue) -> String? {
        guard shown["typed"]?.boolValue == true else { return nil }
        return "Or type on the phone: \(grouped(shown["code"]?.stringValue ?? "")). \(lifetime)"
    }

    private static let lifetime = "It is good for five minutes and one device."

    static func paired(_ answer: JSONValue) -> String {
        let key = answer["fingerprint"]?.stringValue.map { " Its key: \($0)" } ?? ""
        guard answer["endToEnd"]?.boolValue != false else {
            return """
                Told \(answer["name"]?.stringValue ?? "the device"), which answers nothing: look there whether it lists this device.
                NOT sealed end to end: whoever carries its messages can read and change them.
                """
        }
        return "Paired with \(answer["name"]?.stringValue ?? "the device").\(key)"
    }

    static func accepted(_ answer: JSONValue) -> String {
        let rights = (answer["skills"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: ", ")
        return "Accepted \(answer["name"]?.stringValue ?? "the device"). It may use: \(rights)."
    }

    /// As the running process reads it.
    static func allowed(_ typed: [String]) -> JSONValue {
        typed.isEmpty ? .null : .array(typed.map(JSONValue.string))
    }

    /// Prints what happens on the way to a result.
    static func progress(_ json: Bool) -> @Sendable (JSONValue) async throws -> Void {
        let last = LastSaid()
        return { item in
            if json { return Output.complain(TerminalText.json(item.canonicalText)) }
            guard let message = item["message"]?.stringValue, last.isNew(message) else { return }
            Output.complain(TerminalText.line(message))
        }
    }
}

/// The same sentence is not said twice in a row.
private final class LastSaid: Sendable {
    private let text = Mutex("")

    func isNew(_ new: String) -> Bool {
        text.withLock { text in
            defer { text = new }
            return text != new
        }
    }
}
