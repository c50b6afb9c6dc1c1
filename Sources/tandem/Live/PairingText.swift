import Foundation
import Kernel

/// What the pairing commands say to a person.
enum PairingText {
    /// `482 913 7306`: groups that are easy to carry from one screen to the other.
    static func grouped(_ digits: String) -> String {
        let groups = [digits.prefix(3), digits.dropFirst(3).prefix(3), digits.dropFirst(6)]
        return groups.filter { !$0.isEmpty }.joined(separator: " ")
    }

    static func request(_ item: JSONValue) -> String {
        let name = item["name"]?.stringValue ?? "A device"
        let platform = item["platform"]?.stringValue ?? "unknown system"
        let sealed = item["endToEnd"]?.boolValue == true
        var lines = ["\(name) (\(platform)) asks to be paired. Request \(item["id"]?.stringValue ?? "")"]
        if let key = item["fingerprint"]?.stringValue { lines.append("  key \(key)") }
        if item["number"]?.boolValue == true {
            lines.append("  compare the six digits that it shows before you accept")
        }
        if !sealed { lines.append("  NOT sealed end to end: whoever carries its messages can read and change them") }
        return lines.joined(separator: "\n")
    }

    /// Asks on the terminal. Anything but a clear yes is a no.
    static func ask(about item: JSONValue) throws -> (yes: Bool, number: String?) {
        if item["number"]?.boolValue == true {
            Output.complain("Type the six digits that the phone shows, or press return to refuse:")
            let typed = (readLine() ?? "").filter(\.isNumber)
            return (!typed.isEmpty, typed)
        }
        Output.complain("Accept? [y/N]")
        return (["y", "yes"].contains((readLine() ?? "").lowercased()), nil)
    }

    /// Prints what happens on the way to a result.
    static func progress(_ json: Bool) -> @Sendable (JSONValue) async throws -> Void {
        { item in
            if json { return Output.complain(item.canonicalText) }
            if let message = item["message"]?.stringValue { Output.complain(message) }
        }
    }
}
