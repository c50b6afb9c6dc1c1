import Foundation
import Kernel
import Pairing

/// The dialogue on a terminal while a code is shown: a value that is told what happens and what is typed, and says what
/// to do next.
struct PairingDialogue {
    enum Action: Equatable {
        case say(String)
        /// The code, drawn or described.
        case show(CodeEntry)
        /// Then ``done(with:)``.
        case call(Decision)
    }

    /// The person's decision.
    enum Decision: Equatable {
        case newCode
        case accept(Acceptance)
        case reject(RequestChoice)
    }

    /// Whether a person can answer here; otherwise the commands are named.
    var canAsk: Bool
    /// Whether codes go on being shown when this one is over.
    let stays: Bool
    let role: Role
    /// The requests that wait for an answer, oldest first; the first was asked about.
    private var waiting: [RequestEntry] = []
    private var hasShown = false
    /// Why the digits do not work, as it was said last.
    private var trouble: String?

    init(canAsk: Bool, stays: Bool, role: Role) {
        self.canAsk = canAsk
        self.stays = stays
        self.role = role
    }

    // MARK: What happens

    mutating func take(_ event: PairingEvent) -> [Action] {
        switch event {
        case .code(let shown):
            trouble = nil
            // Into a file or a log goes one code: the others are those of other commands, which print them themselves.
            guard canAsk || !hasShown else { return [] }
            hasShown = true
            return [.show(shown)]
        case .digitsReplaced(let shown):
            return [
                .say(
                    "A wrong code was typed; someone may be interfering. These digits take the place of the others, and the "
                        + "code to scan stays the same:\n  \(PairingText.grouped(shown.code))"
                )
            ]
        case .digitsLocked(_, let until):
            let clock = Date(millisecondsSince1970: until).formatted(date: .omitted, time: .standard)
            return [
                .say(
                    "Too many wrong codes were typed; someone may be interfering. No code can be typed until "
                        + "\(clock). Scanning still works."
                )
            ]
        case .digitsUnlocked(let shown):
            return [.say("Codes can be typed again:\n  \(PairingText.grouped(shown.code))")]
        case .digitsUnreachable(let shown):
            // Each try that fails is told, for a page that counts down; here it is said once.
            guard let trouble = shown.trouble, trouble.message != self.trouble else { return [] }
            self.trouble = trouble.message
            return [.say(TerminalText.line(trouble.message) + " You are told here when the digits work.")]
        case .digitsReachable(let shown):
            trouble = nil
            return [.say("The digits work now:\n  \(PairingText.grouped(shown.code))")]
        case .interference:
            return [
                .say("Somebody sends wrong codes, and is not listened to any more. The code to scan is not affected.")
            ]
        case .refused(let refusal): return [.say(refusal.message)]
        case .request(let request): return asked(request)
        case .requestOver(let request):
            return over(saying: "The request of \(request.name) is over.") { $0.id == request.id }
        case .requestWithdrawn(let request):
            return over(saying: "\(request.name) took its request back.") { $0.id == request.id }
        case .paired(let device):
            let sentence = "Paired with \(device.name).\(PairingText.key(of: device))"
            return over(saying: sentence) { $0.fingerprint == device.fingerprint }
        case .usedUp: return [.say("The code is used up. \(next)")]
        case .expired: return [.say("The code has expired. \(next)")]
        case .hidden:
            return [.say("The code was taken back. Make a new one with: tandem pair show --role \(role.rawValue)")]
        case .step(let step): return step.message.map { [.say($0)] } ?? []
        }
    }

    private var next: String {
        stays ? "Here is another one to scan." : "Make a new one with: tandem pair show --role \(role.rawValue)"
    }

    private mutating func asked(_ request: RequestEntry) -> [Action] {
        guard canAsk else { return [.say(PairingText.request(request) + "\n" + PairingText.commands(request))] }
        waiting.append(request)
        return waiting.count == 1 ? question : [.say("\(request.name) asks too; you are asked next.")]
    }

    private mutating func over(saying sentence: String, _ isOver: (RequestEntry) -> Bool) -> [Action] {
        let wasAsked = waiting.first
        waiting.removeAll(where: isOver)
        return [.say(sentence)] + (waiting.first == wasAsked ? [] : question)
    }

    private var question: [Action] {
        guard let request = waiting.first else { return [] }
        let lines = [PairingText.request(request), PairingText.offers(request), prompt(request)]
        return [.say(lines.compactMap(\.self).joined(separator: "\n"))]
    }

    private func prompt(_ request: RequestEntry) -> String {
        let more = !request.offers.isEmpty
        guard request.number else {
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
            return stays && words.isEmpty ? [.call(.newCode)] : []
        }
        guard let first = words.first?.lowercased(), !["n", "no"].contains(first) else {
            return words.isEmpty ? [.say(prompt(request))] : [.call(.reject(RequestChoice(request.id)))]
        }
        if request.number { return accept(request, words) }
        guard ["y", "yes"].contains(first) else { return [.say("Please type y or n.\n" + prompt(request))] }
        return accept(request, ["y"] + words.dropFirst())
    }

    private func accept(_ request: RequestEntry, _ words: [String]) -> [Action] {
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
        var allowed: [String] = []
        for word in words {
            guard let place = Int(word) else {
                allowed.append(word)  // by its name; the computer knows which there are
                continue
            }
            guard request.offers.indices.contains(place - 1) else {
                return [.say("There is no \(word) in the list.\n" + prompt(request))]
            }
            allowed.append(request.offers[place - 1].name)
        }
        let acceptance = Acceptance(
            id: request.id,
            number: number.isEmpty ? nil : number,
            allow: allowed.isEmpty ? nil : allowed
        )
        return [.call(.accept(acceptance))]
    }

    /// The decision that was called for is done, or was refused for a reason.
    mutating func done(with failure: String?) -> [Action] {
        guard let failure else {
            guard !waiting.isEmpty else { return [] }
            waiting.removeFirst()
            return question
        }
        return [.say(failure)] + question
    }
}
