import Foundation
import Kernel
import KernelTesting
import Rights
import Testing

@testable import CommandServer
@testable import Commands

/// Every method that is served, with parameters that nobody sends by mistake.
@Suite("Fuzzed parameters", .timeLimit(.minutes(5)))
struct FuzzedMethodTests {
    private static let variations = 200

    /// For each served method: what it is asked with in the recorded requests.
    private static func samples() throws -> [String: [JSONValue]] {
        Dictionary(grouping: try Dialect.requests(), by: \.method).mapValues { $0.map(\.params) }
    }

    /// Everything that any method reads, and values of which one fits.
    private static func fuzz(_ seed: UInt64, texts: [String] = []) throws -> FuzzedJSON {
        let requests = try Dialect.requests()
        let names = Set(requests.flatMap { $0.params.objectValue.map { Array($0.keys) } ?? [] })
        let known = requests.flatMap { $0.params.objectValue.map { Array($0.values) } ?? [] }.compactMap(\.stringValue)
        let ours = [
            "inputSeq", "inputId", "acknowledges", "subscribe", "compact", "overwrite", "resume", "resumable", "source",
            "chunkSize", "permissions", "modified", "version", "maxWidth", "scale", "quality",
        ]
        return FuzzedJSON(seed: seed, names: names.sorted() + ours, texts: known + texts)
    }

    private static func request(
        _ method: String,
        _ params: JSONValue,
        _ index: Int,
        auth: JSONValue? = nil
    ) throws -> CommandRequest {
        var payload: JSONValue = [
            "id": .string("\(method) \(index)"), "method": .string(method), "params": params,
            "durable": .bool(index % 7 == 0), "acceptsStream": .bool(index % 5 == 0),
        ]
        if let auth { payload = payload.adding("auth", auth) }
        let envelope: JSONValue = [
            "type": .string(CommandRequest.type),
            "payload": index % 4 == 0 ? .string(payload.canonicalText) : payload,
        ]
        // The reader of bytes has fuzzers of its own; here every other one goes through it.
        return try CommandRequest(
            envelope: index % 4 < 2 ? JSONValue(parsing: envelope.canonicalBytes) : envelope
        )
    }

    @Test("whatever is asked by whoever may not: nothing is done, and the refusal is the documented one")
    func underPrivileged() async throws {
        try await MethodHome.run { home in
            let samples = try Self.samples()
            var fuzz = try Self.fuzz(7)
            var asked = 0
            let served = try await home.served()
            home.log.clear()
            for name in served {
                let method = try #require(home.methods[name])
                let callers = callers(without: method.permission, home)
                let own = try #require(samples[name])
                var surprises: [String] = []
                for index in 0..<Self.variations {
                    let auth = fuzz.variation(of: ["did": .string(MethodHome.phone), "signature": "AAAA", "nonce": "n"])
                    let request = try Self.request(name, fuzz.variation(of: own[index % own.count]), index, auth: auth)
                    for (caller, code) in callers {
                        let outcome = await home.answer(request, from: caller).outcome
                        asked += 1
                        if case .failure(let failure) = outcome, failure.code == code { continue }
                        surprises.append("\(caller.proof): \(request.params.canonicalText)")
                    }
                }
                #expect(surprises == [], "\(name)")
                #expect(home.log.effects == [], "\(name)")
            }
            #expect(try await home.effects() == [])
            #expect(asked == (home.methods.count * 4 - 5 * 2) * Self.variations)
        }
    }

    /// Everybody who may not, and what they are told. What every paired phone may is no matter of permission.
    private func callers(without permission: Permission?, _ home: MethodHome) -> [(caller: Caller, code: Int)] {
        let outside = [Caller.Proof.stranger, .unsealed].map { (home.caller($0, allowed: home.everything), -32008) }
        guard let permission else { return outside }
        let others = home.everything.subtracting(permission.rights)
        return outside + [Caller.Proof.session, .clear].map { (home.caller($0, allowed: others), -32010) }
    }

    @Test(
        "damaged messages of whoever may not do nothing, wherever the damage is",
        arguments: [Caller.Proof.session, .clear, .unsealed, .stranger],
        Dialect.allCases
    )
    func damaged(proof: Caller.Proof, dialect: Dialect) async throws {
        try await MethodHome.run { home in
            let isPaired = proof == .session || proof == .clear
            let caller = home.caller(proof, allowed: isPaired ? [] : home.everything)
            var fuzz = FuzzedJSON(seed: 8, names: [])
            for line in try dialect.lines() {
                for _ in 0..<10 {
                    // What is no request any more is dropped at the door.
                    guard let envelope = try? JSONValue(parsing: fuzz.variation(of: line)),
                        let request = try? CommandRequest(envelope: envelope)
                    else { continue }
                    _ = await home.answer(request, from: caller)
                }
            }
            // A paired phone may ask whether the computer is there, which page it has and for a right; with which nonce is its own affair.
            let open = ["run system.ping", "run system.getPage", "run rights.ask", "remoteNonce"]
            #expect(Set(try await home.effects()).isSubset(of: isPaired ? open : []))
        }
    }

    @Test("whatever is asked by whoever may, the answer is valid and documented, and the desktop goes on")
    func privileged() async throws {
        try await MethodHome.run { home in
            let samples = try Self.samples()
            let caller = home.caller(.session, allowed: home.everything)
            let named = try await openTransfers(home, caller) + shownNotifications(home, caller)
            var fuzz = try Self.fuzz(9, texts: named + ["s-1", "s-2"])
            for name in try await home.served() {
                let own = try #require(samples[name])
                var requests: [CommandRequest] = []
                for index in 0..<Self.variations {
                    requests.append(try Self.request(name, fuzz.variation(of: own[index % own.count]), index))
                }
                let responses = try await answers(to: requests, home, caller, passingTime: name.hasPrefix("terminal."))
                #expect(zip(requests, responses).allSatisfy { $0.id == $1.id }, "\(name)")
                // What was answered before in the same form was looked at then.
                for form in [CommandRequest.Form.object, .text] {
                    let outcomes = zip(requests, responses).filter { $0.0.form == form }.map(\.1.outcome)
                    let flaws = try Set(outcomes).compactMap { try flaw(of: $0, in: form) }
                    #expect(flaws == [], "\(name)")
                }
            }
            let ping = await home.answer(CommandRequest(id: "last", method: "system.ping"), from: caller)
            #expect(try ping.outcome.get()["pong"] == true)
            #expect(home.files.paths.contains(""))
        }
    }

    /// Names of transfers that a fuzzed parameter can hit.
    private func openTransfers(_ home: MethodHome, _ caller: Caller) async throws -> [String] {
        var names: [String] = []
        for (method, params) in [
            ("file.requestUpload", ["fileName": "big.bin", "fileSize": 100_000]),
            ("file.requestDownload", ["filePath": "report.txt"]),
        ] as [(String, JSONValue)] {
            let request = CommandRequest(id: method, method: method, params: params)
            let answer = try await home.answer(request, from: caller).outcome.get()
            names.append(try #require(answer["transferId"]?.stringValue))
        }
        return names
    }

    /// Ids of notifications that a fuzzed parameter can hit.
    private func shownNotifications(_ home: MethodHome, _ caller: Caller) async throws -> [String] {
        let request = CommandRequest(id: "history", method: "notification.getHistory")
        let answer = try await home.answer(request, from: caller).outcome.get()
        let ids = answer["notifications"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
        #expect(!ids.isEmpty)
        return ids
    }

    /// - Parameter passingTime: Something waits for what never comes: seconds pass as long as there is no answer.
    private func answers(
        to requests: [CommandRequest],
        _ home: MethodHome,
        _ caller: Caller,
        passingTime: Bool
    ) async throws -> [CommandResponse] {
        try await withThrowingTaskGroup(of: [CommandResponse].self) { group in
            defer { group.cancelAll() }
            group.addTask {
                var responses: [CommandResponse] = []
                for request in requests { responses.append(await home.answer(request, from: caller)) }
                return responses
            }
            if passingTime {
                group.addTask {
                    while !Task.isCancelled {
                        home.clock.advance(by: .seconds(1))
                        await Task.yield()
                    }
                    throw CancellationError()
                }
            }
            return try #require(try await group.next())
        }
    }

    private static let documentedCodes: Set<Int> = [
        -32602, -32603, -32004, -32005, -32006, -32008, -32010, -32020, -32021, -32022, -32023, -32024,
    ]

    /// What is wrong with an answer; nil for nothing.
    private func flaw(of outcome: Result<JSONValue, RemoteFailure>, in form: CommandRequest.Form) throws -> String? {
        let bytes = CommandResponse(id: "1", outcome: outcome).envelope(form: form).canonicalBytes
        guard bytes.count <= CommandRequest.byteLimit else { return "\(bytes.count) bytes" }
        let read = try CommandResponse(envelope: JSONValue(parsing: bytes))
        guard case .failure(let failure) = outcome else {
            if case .success = read.outcome { return nil }
            return "a result that reads as an error"
        }
        guard read == CommandResponse(id: "1", outcome: outcome) else { return "an error that reads otherwise" }
        guard Self.documentedCodes.contains(failure.code), !failure.message.isEmpty else { return "\(failure.code)" }
        // Whatever was not foreseen would come under this code too.
        let foreseen = ["no room", "have not arrived"].contains { failure.message.contains($0) }
        return failure.code == FailureCode.internalError && !foreseen ? failure.message : nil
    }
}
