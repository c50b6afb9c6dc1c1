import CommandClient
import Foundation
import Kernel
import Rights
import TandemPhone
import Testing

@testable import CommandServer
@testable import Commands

@Suite("The table of methods", .timeLimit(.minutes(5)))
struct MethodTableTests {
    @Test("every method that is served has a recorded request, and nothing else has")
    func complete() async throws {
        try await MethodHome.run { home in
            let recorded = try Set(RecordedMethod.all().map(\.method))
            #expect(try await recorded == Set(home.served()))
            #expect(Set(home.methods.keys) == recorded)
        }
    }

    @Test("requests are written as those that were recorded in each dialect", arguments: Dialect.allCases)
    func written(dialect: Dialect) async throws {
        let recorded = try dialect.recorded().map { try JSONValue(parsing: $0) }
        #expect(recorded.count == 2)
        for (envelope, number) in zip(recorded, [1, 3]) {
            let request = try CommandRequest(envelope: envelope)
            #expect(request.form == dialect.form && request.auth?.did == MethodHome.phone)
            let params = try readable(envelope)["payload"]?["params"]
            let written = try dialect.envelope(request.method, params, number: number)
            #expect(try readable(written) == readable(envelope))
        }
    }

    /// An envelope with what may differ taken out: a signature, which need not be the same twice, and a number for an id.
    private func readable(_ envelope: JSONValue) throws -> JSONValue {
        let text = envelope["payload"]?.stringValue
        let payload = try text.map { try JSONValue(parsing: $0.utf8) } ?? envelope["payload"] ?? .null
        let auth = try #require(payload["auth"]?.objectValue)
        #expect((auth["signature"] != nil) == (text != nil))
        return envelope.adding(
            "payload",
            payload.adding("id", .null).adding("auth", .object(auth.filter { $0.key != "signature" }))
        )
    }

    @Test(
        "every recorded request is answered through a session in its asker's form, under documented and observed names",
        arguments: Dialect.allCases
    )
    func answered(dialect: Dialect) async throws {
        try await converse(in: dialect, through: .session)
    }

    @Test("every signed request is answered in the clear as through a session, but for the key of pushes")
    func signed() async throws {
        try await converse(in: .jsonRPC, through: .clear)
    }

    @Test("every feature that an app has is in the table, with all its rights")
    func features() async throws {
        try await MethodHome.run { #expect($0.rights == [PeerFeatureMaker].standard.rights) }
    }

    @Test("what a computer does is not refused before, where a command waits and its parameters are looked at")
    func checkedBefore() async throws {
        try await MethodHome.run { home in
            for recorded in try RecordedMethod.all() where recorded.answer["result"] != nil {
                let method = try #require(home.methods[recorded.method])
                #expect(throws: Never.self, "\(recorded.method)") {
                    try method.declaration.check(recorded.params ?? [:])
                }
            }
        }
    }

    private func converse(in dialect: Dialect, through proof: Caller.Proof) async throws {
        try await MethodHome.run { home in
            let phone = try await home.phone(proof, allowed: home.everything)
            // A computer chooses the names of transfers and notifications; a phone repeats what it was told.
            var told: [(written: String, given: String)] = []
            for (line, recorded) in zip(try dialect.lines(), try RecordedMethod.all().map(\.answer)) {
                let expected = proof == .clear ? Self.inTheClear(recorded) : recorded
                var text = String(decoding: line, as: UTF8.self)
                for name in told { text = text.replacing(name.written, with: name.given) }
                let payload = try payload(of: await phone.answer(to: Array(text.utf8)), in: dialect)
                for name in names(in: expected["result"] ?? .null, givenAs: payload["result"] ?? .null)
                where !told.contains(where: { $0.written == name.written }) {
                    #expect(name.given.utf8.count == name.written.utf8.count)
                    #expect(!told.contains { $0.given == name.given })
                    if name.written.contains("_") { #expect(name.given.prefix(3) == name.written.prefix(3)) }
                    told.append(name)
                }
                var wanted = expected.canonicalText
                for name in told { wanted = wanted.replacing(name.written, with: name.given) }
                try check(payload, against: try JSONValue(parsing: wanted.utf8), in: dialect)
                #expect(payload["id"] == (try CommandRequest(envelope: JSONValue(parsing: line))).writtenID)
                if recorded["method"] == "terminal.create", let session = payload["result"]?["sessionId"]?.stringValue {
                    try await home.greet(in: session, for: phone)
                }
            }
            await phone.end()
        }
    }

    /// A key that signs pushes is taken through a session only.
    private static func inTheClear(_ recorded: JSONValue) -> JSONValue {
        // What cannot be read at all is refused before.
        let isRead = recorded["result"] != nil || recorded["error"]?["message"] == "endpoint"
        guard recorded["method"] == "notification.registerPush", isRead else { return recorded }
        return ["method": "notification.registerPush", "error": ["code": -32006, "message": "does not seal"]]
    }

    /// The names that a computer chooses at random: those are written with the same digit at least twelve times at their end.
    private func names(in written: JSONValue, givenAs given: JSONValue) -> [(written: String, given: String)] {
        switch (written, given) {
        case (.object(let members), .object(let others)):
            members.flatMap { key, value in others[key].map { names(in: value, givenAs: $0) } ?? [] }
        case (.array(let elements), .array(let others)):
            zip(elements, others).flatMap { names(in: $0, givenAs: $1) }
        case (.string(let name), .string(let other)):
            name.count >= 32 && Set(name.suffix(12)).count == 1 ? [(name, other)] : []
        default: []
        }
    }

    /// The payload in the asker's form, with exactly the members that form has.
    private func payload(of answer: JSONValue, in dialect: Dialect) throws -> JSONValue {
        #expect(answer["type"] == "chainlesschain:command:response")
        switch dialect.form {
        case .object:
            let payload = try #require(answer["payload"])
            let names = try #require(payload.objectValue).keys.sorted()
            #expect(names == ["id", "result"] || names == ["code", "error", "id"])
            return payload
        case .text:
            let payload = try JSONValue(parsing: #require(answer["payload"]?.stringValue).utf8)
            #expect(try #require(payload.objectValue).keys.sorted() == ["error", "id", "jsonrpc", "result"])
            #expect(payload["jsonrpc"] == "2.0")
            #expect((payload["error"] == .null) != (payload["result"] == .null))
            return payload
        }
    }

    private func check(_ payload: JSONValue, against expected: JSONValue, in dialect: Dialect) throws {
        let method = try #require(expected["method"]?.stringValue)
        guard let error = expected["error"] else {
            let (result, wanted) = (payload["result"] ?? .null, try #require(expected["result"]))
            #expect(
                result.holds(wanted),
                "\(method): \(result.canonicalText) lacks something of \(wanted.canonicalText)"
            )
            return
        }
        let (code, sentence) =
            switch dialect.form {
            case .object: (payload["code"], payload["error"]?.stringValue)
            case .text: (payload["error"]?["code"], payload["error"]?["message"]?.stringValue)
            }
        #expect(code == error["code"], "\(method)")
        let part = try #require(error["message"]?.stringValue)
        #expect(sentence?.contains(part) == true, "\(method): \(sentence ?? "no sentence")")
    }

    // MARK: What is not served

    /// Names nobody serves here: of every skill that is known, known methods and one that could be.
    private static let unserved: [(name: String, skill: RemoteSkillEntry)] = RemoteSkillRegistry.builtIn.entries.flatMap
    {
        skill in (skill.methods.map(\.name) + ["\(skill.namespace).anything"]).map { ($0, skill) }
    }

    @Test(
        "a method of a documented skill that is not served is unsupported, in a sentence that names the skill",
        arguments: [CommandRequest.Form.object, .text]
    )
    func unsupported(form: CommandRequest.Form) async throws {
        try await MethodHome.run { home in
            let phone = try await home.phone(.session, allowed: home.everything)
            let servedSkills = Set(
                home.methods.keys.compactMap { RemoteSkillRegistry.builtIn.entry(ofMethod: $0)?.namespace }
            )
            var skills: Set<String> = []
            for (name, skill) in Self.unserved where home.methods[name] == nil {
                let failure = try await refusal(of: name, form, by: phone)
                if servedSkills.contains(skill.namespace), name.hasSuffix(".anything") {
                    #expect(failure.code == -32601, "\(name)")
                    #expect(failure.message.contains(name))
                } else {
                    #expect(failure.code == -32006, "\(name)")
                    #expect(failure.message.contains(skill.displayName) && failure.message.contains(name))
                }
                skills.insert(skill.namespace)
            }
            #expect(skills.count == 23)
            #expect(try await home.effects() == [])
            await phone.end()
        }
    }

    @Test("an invented method does not exist, in either form", arguments: [CommandRequest.Form.object, .text])
    func invented(form: CommandRequest.Form) async throws {
        try await MethodHome.run { home in
            let phone = try await home.phone(.session, allowed: home.everything)
            for name in [
                "nothing.here", "terminal.explode", "file.format", "ping", "system.", ".", "system.ping ",
                "SYSTEM.PING", "a.b.c.d",
            ] {
                #expect(try await refusal(of: name, form, by: phone).code == -32601, "\(name)")
            }
            #expect(try await home.effects() == [])
            await phone.end()
        }
    }

    private func refusal(
        of method: String,
        _ form: CommandRequest.Form,
        by phone: RawPhone
    ) async throws -> RemoteFailure {
        let body: JSONValue = ["jsonrpc": "2.0", "id": .string(method), "method": .string(method), "params": [:]]
        let payload = form == .text ? JSONValue.string(body.canonicalText) : body
        let envelope: JSONValue = ["type": .string(CommandRequest.type), "payload": payload]
        let answer = try await phone.answer(to: envelope.canonicalBytes)
        #expect((answer["payload"]?.stringValue == nil) == (form == .object))
        guard case .failure(let failure) = try CommandResponse(envelope: answer).outcome else {
            throw RemoteError.malformedResult
        }
        return failure
    }
}
