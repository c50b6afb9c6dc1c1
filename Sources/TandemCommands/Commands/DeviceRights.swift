public import ArgumentParser
import Control
import Foundation
import Kernel
import Pairing
public import Rights

extension Devices {
    struct Ask: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Ask a computer's owner for a right; the answer is shown by tandem devices.",
            usage: "tandem devices ask [<computer>] <right> ..."
        )
        @OptionGroup var global: GlobalOptions
        @Argument(
            help: ArgumentHelp(
                "The computer's id or name, where several are paired, then the rights.",
                valueName: "right"
            )
        )
        var words: [String]

        func run() async throws {
            let grant = try Grant(words)
            for name in grant.names {
                let choice = RightChoice(id: grant.device, right: name)
                try await global.show(DeviceControl.ask, choice, of: .phone) { Self.line($0, right: name) }
            }
        }

        /// - Parameter now: In milliseconds since 1970.
        static func line(_ answer: RightAskAnswer, right: String, now: Int64 = Date().millisecondsSince1970) -> String {
            let left = RightTime.words(.milliseconds(max(0, answer.until - now)))
            return switch answer.state {
            case "allowed": "This phone may do that already: \(right)."
            case "waiting": "The computer's owner is asked for \(right), for \(left) more. The answer comes by itself."
            case "refused": "The computer's owner said no to \(right). You can ask again in \(left)."
            case "unanswered": "Nobody answered the request for \(right). You can ask again in \(left)."
            default: "\(right): \(TerminalText.line(answer.state))"
            }
        }
    }

    struct Asks: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "The rights that phones ask this computer's owner for."
        )
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.show(DeviceControl.asks, of: .desktop) { Self.text($0) }
        }

        static func text(_ list: RightAskList, now: Int64 = Date().millisecondsSince1970) -> String {
            guard !list.asks.isEmpty else { return "No phone asks for anything." }
            return list.asks.map { ask in
                let left = RightTime.words(.milliseconds(max(0, ask.expiresAt - now)))
                let device = TypedDevice.short(ask.device)
                return """
                    \(TerminalText.line(ask.name)) asks to \(ask.meaning), for \(left) more.
                      for good      tandem devices allow \(device) \(ask.right)
                      for an hour   tandem devices allow \(device) \(ask.right) --for 1h
                      no            tandem devices refuse \(device) \(ask.right)
                    """
            }.joined(separator: "\n")
        }
    }

    struct Refuse: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say no to a phone that asks for a right. It can ask for that again an hour later."
        )
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The phone's id or name, where several ask.") var device: String?
        @Argument(help: "The right; all that it asks for without.") var right: String?

        func run() async throws {
            // A word alone can be either.
            let isRight = right == nil && device.map { (try? Live.rights.list([$0])) != nil } ?? false
            let choice = RightChoice(id: isRight ? nil : device, right: isRight ? device : right)
            try await global.show(DeviceControl.refuse, choice, of: .desktop) { "Refused.\n" + Asks.text($0) }
        }
    }

    /// What a right of a phone, or of this phone at a computer, has left, to be added to its name; empty for one that does not end.
    static func left(_ right: Right, of device: DeviceEntry, now: Int64 = Date().millisecondsSince1970) -> String {
        guard let end = (device.ends ?? device.allowedEnds)?[right.rawValue] else { return "" }
        return " (\(RightTime.words(.milliseconds(max(0, end - now)))) more)"
    }

    /// The rights of a device that end, in lines to be added to a text; empty for none.
    static func endings(_ device: DeviceEntry, now: Int64 = Date().millisecondsSince1970) -> String {
        let ends = (device.ends ?? device.allowedEnds ?? [:]).sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        return ends.map { name, end in
            "\n\(TerminalText.line(name)) for \(RightTime.words(.milliseconds(max(0, end - now)))) more."
        }.joined()
    }
}

/// For how long a right is given, as it is typed: `30m`, `1h`, `7d`.
struct RightTime: ExpressibleByArgument, Hashable {
    let seconds: Int

    init?(argument: String) {
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int(digits), count <= 100_000 else { return nil }
        switch argument.dropFirst(digits.count).lowercased() {
        case "m", "min": seconds = count * 60
        case "h": seconds = count * 3600
        case "d": seconds = count * 24 * 3600
        default: return nil
        }
        guard RightTerm.range.contains(.seconds(seconds)) else { return nil }
    }

    /// In a person's words, rounded up to a minute; hours and days where they say it as well.
    static func words(_ left: Duration) -> String {
        let minutes = Int((left / .seconds(60)).rounded(.up))
        switch minutes {
        case ..<2: return "1 minute"
        case ..<100: return "\(minutes) minutes"
        case ..<(48 * 60): return "\((minutes + 30) / 60) hours"
        default: return "\((minutes + 12 * 60) / (24 * 60)) days"
        }
    }
}

extension RightPreset: ExpressibleByArgument {}
