import Control
import Foundation
import Kernel
import Pairing
import Rights
import Synchronization

/// The texts of the pairing commands for a person.
enum PairingText {
    /// `482 913 7306`: groups that are easy to carry from one screen to the other.
    static func grouped(_ digits: String) -> String {
        let groups = [digits.prefix(3), digits.dropFirst(3).prefix(3), digits.dropFirst(6)]
        return groups.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The asking device, and everything that helps to decide.
    static func request(_ item: RequestEntry) -> String {
        let name = TerminalText.line(item.name)
        let platform = TerminalText.line(item.platform.rawValue)
        var lines = [
            "\(name) (\(platform)) asks to be paired. Request \(item.id)",
            "  its key: \(item.fingerprint); the phone must show the same",
        ]
        if item.identityChanged {
            let known = TerminalText.line(item.knownName ?? "The device")
            let key = item.knownFingerprint ?? "another one"
            lines.append("  KNOWN WITH ANOTHER KEY: \(known), \(key). Say yes only if that phone was set up anew")
        }
        if item.number { lines.append("  it shows six digits, which are typed here") }
        if !item.endToEnd {
            lines.append("  NOT sealed end to end: whoever carries its messages can read and change them")
        }
        return lines.joined(separator: "\n")
    }

    /// The rights that can be given together with the yes, numbered from one.
    ///
    /// - Parameter width: The window's; nil where there is none, and nothing is broken.
    static func offers(_ item: RequestEntry, width: Int? = Output.width) -> String? {
        guard let longest = item.offers.map(\.name.count).max() else { return nil }
        let lines = item.offers.enumerated().map { index, offer in
            let space = String(repeating: " ", count: longest - offer.name.count + 2)
            let number = String(index + 1)
            let margin = String(repeating: " ", count: 4 + String(item.offers.count).count - number.count)
            let name = "\(margin)\(number) \(offer.name)\(space)"
            return name + TerminalText.rows(offer.meaning, width: width, from: name.count, indent: name.count)
        }
        let start = "It can see how this computer is doing, and be told things. You may allow it more, now or later:"
        return (["  " + TerminalText.rows(start, width: width, from: 2, indent: 2)] + lines).joined(separator: "\n")
    }

    /// The commands to type where no person can be asked.
    static func commands(_ item: RequestEntry) -> String {
        guard !item.number else {
            // Both would not fit a row of 80 columns.
            return "  yes: tandem pair accept \(item.id) --number SIX-DIGITS\n  no: tandem pair reject \(item.id)"
        }
        return "  yes: tandem pair accept \(item.id)     no: tandem pair reject \(item.id)"
    }

    /// The remark that a scanned code is tried although it is over by this device's clock; nil where it is not.
    static func clockDoubt(_ payload: String, role: Role, now: Date) -> String? {
        let doubt =
            role == .phone
            ? (try? DesktopPairingQR(scanned: payload, now: now))?.ageDoubt
            : (try? DevicePairingQR(scanned: payload, now: now))?.ageDoubt
        switch doubt {
        case .codeExpired(let age): return "\(clocks(age)) slow, or the code is old. It is tried all the same."
        case .codeFromTheFuture(let ahead): return "\(clocks(ahead)) fast. The code is tried all the same."
        default: return nil
        }
    }

    private static func clocks(_ seconds: Int64) -> String {
        let (minutes, hours) = (seconds / 60, seconds / 3600)
        let size = hours > 0 ? "more than \(hours) h" : "\(minutes) min"
        return "The clocks of the two devices differ: the other one's is \(size)"
    }

    /// Whether a code leads a phone to itself, because this computer is on no network and has no hub.
    private static func isOnlyForThisMachine(_ payload: String) -> Bool {
        guard let code = try? JSONValue(parsing: payload.utf8), code["relayUrl"]?.stringValue == nil,
            let host = code["signalingUrl"]?.stringValue.flatMap(URL.init(string:))?.host(percentEncoded: false)
        else { return false }
        return host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }

    /// The instructions for using a code.
    static func instructions(_ shown: CodeEntry, role: Role) -> String {
        let only = "Only a phone on this very computer can use it: its address is this machine's own."
        let instructions = ordinaryInstructions(shown, role: role)
        return role == .desktop && isOnlyForThisMachine(shown.payload) ? "\(instructions)\n\(only)" : instructions
    }

    private static func ordinaryInstructions(_ shown: CodeEntry, role: Role) -> String {
        guard role == .desktop else {
            let key = shown.ownFingerprint.map { "\nThis phone's key: \($0)" } ?? ""
            return "Scan this on the computer: tandem pair scan --role desktop. \(lifetime)\(key)"
        }
        if let link = shown.link {
            let start = "Scan this with the phone's camera, which opens a page there. \(lifetime)"
            // The link alone on its line, so that it can be clicked; for a program of a phone there is the other form.
            return ([start] + [typing(shown), link, "For a phone's program: tandem pair show --json-code"])
                .compactMap(\.self).joined(separator: "\n")
        }
        guard shown.typed == true else { return "Scan this with the phone. \(lifetime)" }
        if let trouble = shown.trouble {
            return "Scan this with the phone. \(lifetime)\n\(later(shown, trouble))"
        }
        return "Scan this with the phone, or type there: \(grouped(shown.code)). \(lifetime)"
    }

    /// The instructions where no code to scan is in sight; nil where there are no digits.
    static func typing(_ shown: CodeEntry) -> String? {
        guard shown.typed == true else { return nil }
        return shown.trouble.map { later(shown, $0) }
            ?? "Or type on the phone: \(grouped(shown.code)).\(shown.link == nil ? " \(lifetime)" : "")"
    }

    /// Why the digits do not work yet, and which they are.
    private static func later(_ shown: CodeEntry, _ trouble: DigitsTrouble) -> String {
        let digits = trouble.reason == TypedCodeTrouble.Reason.taken.rawValue ? "" : " They are: \(grouped(shown.code))"
        return TerminalText.line(trouble.message) + digits
    }

    private static let lifetime = "It is good for five minutes and one device."

    static func paired(_ device: DeviceEntry) -> String {
        guard device.endToEnd else {
            return """
                Told \(device.name), which answers nothing: look there whether it lists this device.
                NOT sealed end to end: whoever carries its messages can read and change them.
                """
        }
        return "Paired with \(device.name).\(key(of: device))"
    }

    /// The device's key, to be added to a sentence; empty where the device has none.
    static func key(of device: DeviceEntry) -> String { device.fingerprint.map { " Its key: \($0)" } ?? "" }

    static func accepted(_ device: DeviceEntry) -> String {
        "Accepted \(device.name). It may use: \(device.skills.map(\.rawValue).joined(separator: ", "))."
    }

    /// Prints what happens on the way to a result.
    static func progress(_ json: Bool) -> @Sendable (JSONValue) async throws -> Void {
        let last = LastSaid()
        return { item in
            if json { return Output.complain(TerminalText.json(item.canonicalText)) }
            let step: PairingStep = try item.controlAnswer()
            guard let message = step.message, last.isNew(message) else { return }
            Output.complain(TerminalText.line(message))
        }
    }
}

/// The sentence that was said last, so that it is not said twice in a row.
private final class LastSaid: Sendable {
    private let text = Mutex("")

    func isNew(_ new: String) -> Bool {
        text.withLock { text in
            defer { text = new }
            return text != new
        }
    }
}
