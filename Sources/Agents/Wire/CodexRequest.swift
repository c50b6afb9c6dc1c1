import Conversations
package import Kernel

/// A request of `codex app-server` to a person. Source: its schema, `ServerRequest`.
package enum CodexRequest {
    /// - Parameter changes: The changes of the item that a change of files is about, as `item/started` told them.
    /// - Returns: Nil for a request that is not for a person.
    package static func parse(
        method: String,
        _ parameters: JSONValue,
        changes: (String) -> JSONValue?
    ) -> (thread: String, request: AgentRequest)? {
        guard let thread = AgentText.name(parameters["threadId"] ?? parameters["conversationId"]) else { return nil }
        let unknown = AgentRequest.unknown(method: method, parameters, declining: .declined)
        let request: AgentRequest
        switch method {
        case "item/commandExecution/requestApproval": request = command(method, parameters)
        case "item/fileChange/requestApproval":
            let item = AgentText.name(parameters["itemId"]).flatMap(changes)
            request = item.flatMap { fileChange($0, parameters) } ?? unknown
        case "item/permissions/requestApproval": request = permissions(method, parameters)
        case "item/tool/requestUserInput": request = questions(parameters) ?? unknown
        case "mcpServer/elicitation/request":
            request = .elicitation(
                server: parameters["serverName"]?.stringValue ?? "",
                mode: parameters["mode"]?.stringValue,
                message: parameters["message"]?.stringValue ?? "",
                schema: parameters["requestedSchema"],
                address: parameters["url"]?.stringValue,
                meta: parameters["_meta"] ?? parameters["meta"],
                unknown: unknown
            )
        // For a client that offers tools of its own, or signs in for Codex: this one does neither.
        case "item/tool/call", "account/chatgptAuthTokens/refresh", "attestation/generate": return nil
        default: request = unknown
        }
        return (thread, request)
    }

    /// - Parameter more: The words for everything else that an answer would allow: never cut, so callers bound it first.
    private static func reason(_ parameters: JSONValue, _ more: [String] = []) -> String? {
        AskedText.reason([parameters["reason"]?.stringValue].compactMap(\.self), more.joined(separator: " "))
    }

    // MARK: Commands

    private static func command(_ method: String, _ parameters: JSONValue) -> AgentRequest {
        let unknown = AgentRequest.unknown(method: method, parameters, declining: .result(["decision": "decline"]))
        let line = parameters["command"]?.stringValue ?? ""
        let network = parameters["networkApprovalContext"]
        let subject: Approval.Subject
        if !line.isEmpty {
            let folder = parameters["cwd"]?.stringValue
            subject = AgentRequest.commandSubject(line, folder: folder, method: method, parameters)
        } else if let host = network?["host"]?.stringValue {
            let word = network?["protocol"]?.stringValue ?? "network"
            guard let line = AskedText.line("Network: \(word) to \(host)", limit: profileLine) else { return unknown }
            subject = .permissions([line])
        } else {
            return unknown
        }
        var more: [String] = []
        if let extra = parameters["additionalPermissions"], extra != .null {
            guard let lines = lines(of: extra), lines.reduce(0, { $0 + $1.count }) <= AskedText.moreLimit else {
                return unknown
            }
            more = ["The command would also get:"] + lines
        }
        if case .unknown = subject { return unknown }
        let (options, decisions) = decisions(parameters)
        return AgentRequest(
            subject: subject,
            reason: reason(parameters, more),
            options: options,
            reply: { answer throws(AgentError) in .result(["decision": decisions[answer.optionID] ?? "decline"]) }
        )
    }

    /// The answers that Codex offers, in its order; the usual ones where it names none.
    private static func decisions(_ parameters: JSONValue) -> ([Approval.Option], [String: JSONValue]) {
        let named = parameters["availableDecisions"]?.arrayValue?.prefix(Approval.optionLimit - 1)
        let offered = named.map(Array.init) ?? ["accept", "acceptForSession", "decline", "cancel"]
        var options: [Approval.Option] = []
        var decisions: [String: JSONValue] = [:]
        for (index, decision) in offered.enumerated() {
            let option: Approval.Option
            switch decision {
            case "accept": option = Approval.Option(id: "accept", kind: .allowOnce)
            case "acceptForSession": option = Approval.Option(id: "acceptForSession", kind: .allowForSession)
            case "decline": option = Approval.Option(id: "decline", kind: .decline)
            case "cancel": option = Approval.Option(id: "cancel", kind: .cancel)
            default:
                guard let lasting = lasting(decision, id: "lasting-\(index)") else { continue }
                option = lasting
            }
            guard decisions.updateValue(decision, forKey: option.id) == nil else { continue }
            options.append(option)
        }
        if !options.contains(where: { $0.kind == .decline || $0.kind == .cancel }) {
            options.append(Approval.Option(id: "decline", kind: .decline))
            decisions["decline"] = "decline"
        }
        return (options, decisions)
    }

    /// An answer that also changes Codex's rules for later.
    private static func lasting(_ decision: JSONValue, id: String) -> Approval.Option? {
        if let words = decision["acceptWithExecpolicyAmendment"]?["execpolicy_amendment"] {
            // A rule that cannot be shown whole is not offered.
            guard let line = ShellWords.line(of: words).flatMap({ AskedText.line($0, limit: 400) }) else { return nil }
            let name = "Allow, and always allow commands that begin with: \(line)"
            return Approval.Option(id: id, name: name, kind: .other("allow_always"))
        }
        if let rule = decision["applyNetworkPolicyAmendment"]?["network_policy_amendment"],
            let host = rule["host"]?.stringValue
        {
            let allows = rule["action"]?.stringValue == "allow"
            guard let host = AskedText.line(host, limit: 400) else { return nil }
            let name = "\(allows ? "Allow" : "Decline"), and always for the host \(host)"
            return Approval.Option(id: id, name: name, kind: allows ? .other("allow_always") : .decline)
        }
        return nil
    }

    // MARK: Files

    /// Nil where an answer would allow more than can be shown.
    private static func fileChange(_ changes: JSONValue, _ parameters: JSONValue) -> AgentRequest? {
        var more: [String] = []
        if let asked = parameters["grantRoot"], asked != .null {
            guard let root = asked.stringValue.flatMap({ AskedText.line($0, limit: AskedText.moreLimit) }) else {
                return nil
            }
            more = ["For the session it would also be allowed to write below \(root)."]
        }
        guard let subject = change(of: changes, id: AgentText.name(parameters["itemId"])) else { return nil }
        return AgentRequest(
            subject: subject,
            reason: reason(parameters, more),
            options: [
                Approval.Option(id: "accept", kind: .allowOnce),
                Approval.Option(id: "acceptForSession", kind: .allowForSession),
                Approval.Option(id: "decline", kind: .decline),
                Approval.Option(id: "cancel", kind: .cancel),
            ],
            reply: { answer throws(AgentError) in .result(["decision": .string(answer.optionID)]) }
        )
    }

    /// The subject of a change of files. For a new file and for one that goes, Codex tells the content, which may hold lines that look like
    /// another file's.
    private static func change(of changes: JSONValue, id: String?) -> Approval.Subject? {
        let files = (changes.arrayValue ?? []).map { change in
            let kind = fileKind(change["kind"])
            let told = change["diff"]?.stringValue ?? ""
            let lines =
                switch kind {
                case .added: AgentText.marked("+", told)
                case .deleted: AgentText.marked("-", told)
                default: told
                }
            return AskedText.ChangedFile(path: change["path"]?.stringValue ?? "", kind: kind, lines: lines)
        }
        return AskedText.change(files, id: id, isHeaded: true)
    }

    private static func fileKind(_ kind: JSONValue?) -> FileChange.Kind {
        if let path = kind?["move_path"]?.stringValue ?? kind?["movePath"]?.stringValue { return .moved(to: path) }
        return switch kind?["type"]?.stringValue ?? kind?.stringValue {
        case "add": .added
        case "delete": .deleted
        default: .updated
        }
    }

    // MARK: Permissions and questions

    /// Lines of a profile of permissions, and characters of one. A profile that is larger is shown raw and can only be declined: nothing may
    /// be allowed that is not shown.
    private static let profileLines = 100
    private static let profileLine = 1000

    private static func permissions(_ method: String, _ parameters: JSONValue) -> AgentRequest {
        let asked = parameters["permissions"] ?? .object([:])
        let declined = RPCReply.result(["permissions": [:], "scope": "turn"])
        guard let lines = lines(of: asked), !lines.isEmpty else {
            return .unknown(method: method, parameters, declining: declined)
        }
        return AgentRequest(
            subject: .permissions(lines),
            reason: reason(parameters),
            options: [
                Approval.Option(id: "turn", name: "Allow for this turn", kind: .allowOnce),
                Approval.Option(id: "session", kind: .allowForSession),
                Approval.Option(id: "decline", kind: .decline),
            ],
            reply: { answer throws(AgentError) in
                guard answer.optionID != "decline" else { return declined }
                return .result(["permissions": asked, "scope": .string(answer.optionID)])
            }
        )
    }

    /// A profile of permissions, a line for each; members that are not known here as Codex wrote them.
    ///
    /// - Returns: Nil for a profile that is too large to be shown whole.
    private static func lines(of profile: JSONValue) -> [String]? {
        guard let members = profile.objectValue else { return nil }
        var lines: [String] = []
        for (name, value) in members.sorted(by: { $0.key < $1.key }) where value != .null {
            switch name {
            case "network":
                if (value["enabled"] ?? value).boolValue == true { lines.append("Network") }
                lines += others(value, of: name) {
                    $0 == "enabled" ? $1.boolValue != nil : $0.isEmpty && $1.boolValue != nil
                }
            case "fileSystem":
                for (access, word) in accesses.sorted(by: { $0.key < $1.key }) {
                    lines += (value[access]?.arrayValue ?? []).map {
                        "\(word) below \($0.stringValue ?? $0.canonicalText)"
                    }
                }
                // Codex writes the same folders in `read` and `write` for programs that do not know `entries`.
                for line in (value["entries"]?.arrayValue ?? []).map(Self.line(ofEntry:)) where !lines.contains(line) {
                    lines.append(line)
                }
                lines += others(value, of: name) { ["read", "write", "entries"].contains($0) && $1.arrayValue != nil }
            default: lines.append("\(name): \(value.canonicalText)")
            }
            guard lines.count <= profileLines else { return nil }
        }
        return lines.allSatisfy { AskedText.line($0, limit: profileLine) != nil } ? lines : nil
    }

    private static let accesses = ["read": "Read", "write": "Write"]

    /// An entry of a profile. One of a folder is said as it is in `read` and `write`; of another kind, such as a pattern, as Codex wrote it.
    private static func line(ofEntry entry: JSONValue) -> String {
        guard let access = entry["access"]?.stringValue, let place = entry["path"] else { return entry.canonicalText }
        guard place["type"]?.stringValue == "path", place.objectValue?.count == 2, entry.objectValue?.count == 2,
            let folder = place["path"]?.stringValue
        else { return "\(access): \(place["path"]?.stringValue ?? place.canonicalText)" }
        return accesses[access].map { "\($0) below \(folder)" } ?? "\(access): \(folder)"
    }

    /// The members of a part of a profile that have no words here, a line for each.
    ///
    /// - Parameter isKnown: Gets a member's name and value; an empty name and the part itself where it has no members.
    private static func others(
        _ part: JSONValue,
        of name: String,
        isKnown: (String, JSONValue) -> Bool
    ) -> [String] {
        guard let members = part.objectValue else { return isKnown("", part) ? [] : ["\(name): \(part.canonicalText)"] }
        return members.sorted { $0.key < $1.key }.filter { $0.value != .null && !isKnown($0.key, $0.value) }
            .map { "\(name) \($0.key): \($0.value.canonicalText)" }
    }

    private static func questions(_ parameters: JSONValue) -> AgentRequest? {
        guard let asked = parameters["questions"]?.arrayValue, (1...20).contains(asked.count) else { return nil }
        var questions: [Approval.Question] = []
        var originals: [String: [String: String]] = [:]
        for question in asked {
            guard let id = AgentText.name(question["id"]), !questions.contains(where: { $0.id == id }) else {
                return nil
            }
            let choices = AgentText.choices(question["options"]?.arrayValue ?? [])
            originals[id] = choices.originals
            let words = [question["header"]?.stringValue, question["question"]?.stringValue].compactMap(\.self)
            questions.append(
                Approval.Question(
                    id: id,
                    text: AgentText.line(words.filter { !$0.isEmpty }.joined(separator: ": "), limit: 2000),
                    choices: choices.shown,
                    details: choices.details,
                    allowsText: choices.shown.isEmpty || question["isOther"]?.boolValue == true,
                    isSecret: question["isSecret"]?.boolValue == true
                )
            )
        }
        let all = questions
        let meant = originals
        return AgentRequest(
            subject: .questions(all),
            reason: reason(parameters),
            options: [Approval.Option(id: "submit", kind: .submit), Approval.Option(id: "decline", kind: .decline)],
            reply: { answer throws(AgentError) in
                guard answer.optionID == "submit" else { return .result(["answers": [:]]) }
                var answers: [String: JSONValue] = [:]
                for question in all {
                    guard let given = answer.answers[question.id], !given.isEmpty else {
                        throw .answerMissing(question: question.text)
                    }
                    let known = meant[question.id] ?? [:]
                    guard question.allowsText || given.allSatisfy({ known[$0] != nil }) else {
                        throw .answerMissing(question: question.text)
                    }
                    answers[question.id] = ["answers": .array(given.map { .string(known[$0] ?? $0) })]
                }
                return .result(["answers": .object(answers)])
            }
        )
    }
}
