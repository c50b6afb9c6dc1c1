import Foundation
import Kernel
import Logging
import NIOCore
import Synchronization
import Testing

@testable import Control

@Suite("Control socket", .timeLimit(.minutes(4)))
struct ControlTests {
    private struct Echo: ControlHandler {
        struct Refusal: Error, CustomStringConvertible {
            let description = "The door is closed. Knock again tomorrow."
        }

        private let wasAskedForStatus = LatestValue(false)

        func handle(
            _ request: ControlRequest,
            report: @escaping @Sendable (JSONValue) async throws -> Void
        ) async throws -> JSONValue {
            switch request.method {
            case "echo": return request.params
            case "status":
                wasAskedForStatus.set(true)
                return .null
            case "slow":
                for await wasAsked in wasAskedForStatus.values() where wasAsked { return "late" }
                throw Refusal()
            case "count":
                for number in 1...3 { try await report(.integer(Int64(number))) }
                return "done"
            default: throw Refusal()
            }
        }

        func handle(
            _ request: ControlRequest,
            input: ControlInput,
            report: @escaping @Sendable (JSONValue) async throws -> Void
        ) async throws -> JSONValue {
            guard request.method == "converse" else { return try await handle(request, report: report) }
            for await value in input {
                if value == "enough" { return "ended early" }
                try await report(value)
            }
            return "ended"
        }
    }

    /// Every wait is over at once.
    private struct HurriedTime: TimeSource {
        var now: ContinuousClock.Instant { ContinuousClock.now }
        var date: Date { Date() }

        func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
            try Task.checkCancellation()
        }
    }

    /// Runs `body` beside a socket from which nobody takes connections: that of a process that is stopped.
    private func withSilence(
        backlog: Int32,
        _ body: (StateFolder) async throws -> Void
    ) async throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "tc-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: url) }
        let folder = try StateFolder(url)
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        try #require(listener >= 0)
        defer { close(listener) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(folder.controlSocketURL.path.utf8)) }
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(isBound == 0)
        try #require(listen(listener, backlog) == 0)
        try await body(folder)
    }

    /// Runs `body` beside a server on a folder of its own.
    private func withServer(_ body: @escaping @Sendable (StateFolder) async throws -> Void) async throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "tc-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: url) }
        let folder = try StateFolder(url)
        try await withThrowingTaskGroup(of: Void.self) { group in
            let server = ControlServer(folder: folder, handler: Echo(), logger: Logger(label: "test"))
            group.addTask { try await server.run() }
            // The socket is there once it answers.
            while !Task.isCancelled, (try? await ControlClient(folder: folder, role: "desktop").call("echo")) == nil {
                await Task.yield()
            }
            try await body(folder)
            group.cancelAll()
        }
    }

    @Test("connections that come while the server ends are closed, and the program goes on")
    func connectionsAtTheEnd() async throws {
        for _ in 0..<20 {
            try await withServer { folder in
                for _ in 0..<8 { Task { try? await ControlClient(folder: folder, role: "desktop").call("echo") } }
            }
        }
    }

    @Test("a command gets its result, and its socket is its owner's only")
    func result() async throws {
        try await withServer { folder in
            let client = ControlClient(folder: folder, role: "desktop")
            #expect(try await client.call("echo", ["a": [1, "é\n"]]) == ["a": [1, "é\n"]])
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.controlSocketURL.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test(
        "an answer is one line that says the same to whoever reads it",
        arguments: [
            (ControlAnswer.item(id: 1, ["a": [1, .number(2.5), nil]]), #"{"id":1,"item":{"a":[1,2.5,null]}}"#),
            (.result(id: 2, .null), #"{"id":2,"result":null}"#),
            (.result(id: -3, "two\nlines / “quoted”"), #"{"id":-3,"result":"two\nlines / “quoted”"}"#),
            (.failure(id: 4, message: "No."), #"{"error":"No.","id":4}"#),
        ]
    )
    func answers(answer: ControlAnswer, line: String) throws {
        #expect(String(decoding: answer.bytes, as: UTF8.self) == line)
        #expect(try ControlAnswer(parsing: line.utf8) == answer)
    }

    @Test(
        "a line that is no answer is refused",
        arguments: ["", "[]", "{}", #"{"id":"1"}"#, #"{"id":1.5,"result":2}"#, "{"]
    )
    func noAnswers(line: String) {
        #expect(throws: DecodingError.self) { try ControlAnswer(parsing: line.utf8) }
    }

    @Test("items arrive in order before the result")
    func items() async throws {
        try await withServer { folder in
            let (stream, items) = AsyncStream.makeStream(of: JSONValue.self, bufferingPolicy: .bufferingNewest(8))
            let result = try await ControlClient(folder: folder, role: "desktop").call("count") { items.yield($0) }
            items.finish()
            #expect(result == "done")
            #expect(await stream.reduce(into: []) { $0.append($1) } == [1, 2, 3])
        }
    }

    @Test("a refusal arrives as the sentence it was")
    func refusal() async throws {
        try await withServer { folder in
            let client = ControlClient(folder: folder, role: "desktop")
            await #expect(throws: ControlError.refused("The door is closed. Knock again tomorrow.")) {
                try await client.call("other")
            }
        }
    }

    @Test(
        "a line that is no command gets an error and the next one is served",
        arguments: [
            "nonsense", "[1]", "7", #"{"id":1,"id":2,"method":"echo"}"#, #"{"id":1}"#, #"{"id":"1","end":true}"#,
        ]
    )
    func garbage(line: String) async throws {
        try await withServer { folder in
            let answers = try await rawExchange(
                folder,
                line + "\n{\"id\":7,\"method\":\"echo\",\"params\":[1]}\n",
                count: 2
            )
            #expect(
                answers == [
                    .failure(id: 0, message: "The command is not a JSON object."), .result(id: 7, [1]),
                ]
            )
        }
    }

    @Test("a command without parameters has an empty object of them")
    func noParameters() async throws {
        try await withServer { folder in
            let text = #"{"id":1,"method":"echo"}"# + "\n" + #"{"id":2,"method":"echo","params":null}"# + "\n"
            let answers = try await rawExchange(folder, text, count: 2)
            #expect(answers.sorted { $0.id < $1.id } == [.result(id: 1, [:]), .result(id: 2, [:])])
        }
    }

    /// A thing that tells by which coders it went.
    private struct Probe: Codable, Sendable {
        var coders: [String] = []

        init() {}

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            coders = try container.decode([String].self) + ["\(type(of: decoder))"]
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(coders + ["\(type(of: encoder))"])
        }
    }

    @Test("parameters and answers pass a role's table once in each direction, and never as text")
    func passing() async throws {
        let method = ControlMethod<Probe, Probe>("probe", summary: "")
        let table = ControlTable([ControlRoute(method) { $0 }])
        let once = ["JSONValueEncoder", "JSONValueDecoder"]
        #expect(try await table.call(method, Probe()).coders == once + once)
    }

    @Test("where nobody runs, the error says how to start it")
    func notRunning() async throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "tc-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: url) }
        let folder = try StateFolder(url)
        await #expect(throws: ControlError.notRunning(role: "desktop", folder: folder.url.path)) {
            try await ControlClient(folder: folder, role: "desktop").call("echo")
        }
        // What a killed process leaves behind is not somebody running either.
        try Data().write(to: folder.controlSocketURL)
        await #expect(throws: ControlError.notRunning(role: "desktop", folder: folder.url.path)) {
            try await ControlClient(folder: folder, role: "desktop").call("echo")
        }
    }

    @Test("a folder that is closed to this user is not called one on which nothing runs", .enabled(if: getuid() != 0))
    func otherUser() async throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "tc-\(UUID().uuidString.prefix(8))")
        let folder = try StateFolder(url)
        chmod(url.path, 0)
        defer {
            chmod(url.path, 0o700)
            try? FileManager.default.removeItem(at: url)
        }
        await #expect(throws: ControlError.otherUser(folder: folder.url.path)) {
            try await ControlClient(folder: folder, role: "desktop").call("echo")
        }
    }

    @Test("a role that is stopped is said not to answer once its time is over")
    func stopped() async throws {
        try await withSilence(backlog: 4) { folder in
            let client = ControlClient(folder: folder, role: "desktop", time: HurriedTime())
            let method = ControlMethod<NoControlParameters, JSONValue>("echo", summary: "")
            await #expect(throws: ControlError.notAnswering(folder: folder.url.path)) {
                try await client.call(method, NoControlParameters(), within: .seconds(30))
            }
        }
    }

    @Test("a role that answers is waited for beyond that time")
    func slow() async throws {
        try await withServer { folder in
            let client = ControlClient(folder: folder, role: "desktop")
            let method = ControlMethod<NoControlParameters, JSONValue>("slow", summary: "")
            let answer = try await client.call(method, NoControlParameters(), within: .milliseconds(1))
            #expect(answer == "late")
        }
    }

    @Test("a role from whose full queue nobody is taken is not called one that does not run")
    func fullQueue() async throws {
        try await withSilence(backlog: 0) { folder in
            try await ControlClient.connect(folder).executeThenClose { _, _ in
                let client = ControlClient(folder: folder, role: "desktop", time: HurriedTime())
                await #expect(throws: ControlError.notAnswering(folder: folder.url.path)) {
                    try await client.call("echo")
                }
            }
        }
    }

    @Test("a folder that is a file is not called one on which nothing runs")
    func noFolder() async throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "tc-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: url) }
        try Data().write(to: url)
        let folder = StateFolder(at: url)
        await #expect(throws: ControlError.cannotConnect(folder: folder.url.path, reason: "not a directory")) {
            try await ControlClient(folder: folder, role: "desktop").call("echo")
        }
    }

    @Test("a path too long for a Unix socket is refused with its name")
    func longPath() async throws {
        let url = FileManager.default.temporaryDirectory.appending(path: String(repeating: "x", count: 120))
        defer { try? FileManager.default.removeItem(at: url) }
        let folder = try StateFolder(url)
        await #expect(throws: ControlError.pathTooLong(folder.controlSocketURL.path)) {
            try await ControlClient(folder: folder, role: "desktop").call("echo")
        }
    }

    private func rawExchange(_ folder: StateFolder, _ text: String, count: Int) async throws -> [ControlAnswer] {
        let connection = try await ControlClient.connect(folder)
        return try await connection.executeThenClose { lines, out in
            try await out.write(ByteBuffer(string: text))
            var answers: [ControlAnswer] = []
            for try await line in lines {
                answers.append(try ControlAnswer(parsing: line.readableBytesView))
                if answers.count == count { break }
            }
            return answers
        }
    }

    @Test("what a command goes on telling arrives in order, and its end is seen")
    func input() async throws {
        try await withServer { folder in
            let (told, teller) = AsyncStream.makeStream(of: JSONValue.self, bufferingPolicy: .bufferingNewest(256))
            for number in 0..<200 { teller.yield(.integer(Int64(number))) }
            teller.finish()
            let heard = Mutex<[JSONValue]>([])
            let result = try await ControlClient(folder: folder, role: "desktop").call("converse", input: told) {
                item in
                heard.withLock { $0.append(item) }
            }
            #expect(result == "ended")
            #expect(heard.withLock(\.self) == (0..<200).map { JSONValue.integer(Int64($0)) })
        }
    }

    @Test("a command that ends early lets its teller go")
    func endedEarly() async throws {
        try await withServer { folder in
            let (told, teller) = AsyncStream.makeStream(of: JSONValue.self, bufferingPolicy: .bufferingNewest(8))
            teller.yield("enough")
            teller.yield("nobody hears this")
            let result = try await ControlClient(folder: folder, role: "desktop").call("converse", input: told) { _ in }
            #expect(result == "ended early")
        }
    }
}
