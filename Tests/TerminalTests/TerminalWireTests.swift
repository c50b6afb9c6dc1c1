import FeatureTesting
import Kernel
import Rights
import Testing

@testable import Commands
@testable import Terminal

@Suite("The wire of terminals")
struct TerminalWireTests {
    private func read<Parameters>(
        _ method: Method<Parameters, some MethodAnswer>,
        _ text: String
    ) throws -> Parameters {
        try Parameters(wire: RemoteParameters(JSONValue(parsing: text.utf8)))
    }

    private func text(_ parameters: some MethodParameters) -> String { parameters.wire.canonicalText }

    @Test("requests as existing programs send them are read")
    func recorded() throws {
        #expect(
            try read(TerminalMethods.create, #"{"shell":"bash","cwd":"~","env":{"LANG":"C.UTF-8"}}"#)
                == TerminalMethods.Create(
                    TerminalRequest(shell: "bash", environment: ["LANG": "C.UTF-8"], folder: "~")
                )
        )
        #expect(
            try read(TerminalMethods.create, #"{"projectId":"p-1","shell":"bash","cols":100,"rows":30}"#)
                == TerminalMethods.Create(
                    TerminalRequest(shell: "bash", size: TerminalSize(columns: 100, rows: 30)),
                    projectID: "p-1"
                )
        )
        #expect(
            try read(TerminalMethods.create, #"{"shell":"","cwd":null,"env":null,"cols":null}"#)
                == TerminalMethods.Create(TerminalRequest())
        )
        #expect(try read(TerminalMethods.list, #"{"projectId":"p-1"}"#) == TerminalMethods.List())
        #expect(
            try read(TerminalMethods.stdin, #"{"projectId":"p-1","sessionId":"s-2","data":"ü"}"#)
                == TerminalMethods.Input(sessionID: "s-2", text: "ü")
        )
        #expect(
            try read(TerminalMethods.stdin, #"{"sessionId":"s-2","data":"","inputSeq":1}"#)
                == TerminalMethods.Input(sessionID: "s-2", text: "", place: .init(inputID: "", seq: 1))
        )
        #expect(
            try read(TerminalMethods.resize, #"{"sessionId":"s-1","cols":120,"rows":40}"#)
                == TerminalMethods.Resize(sessionID: "s-1", size: TerminalSize(columns: 120, rows: 40))
        )
        #expect(
            try read(TerminalMethods.history, #"{"projectId":"p-1","sessionId":"s-2"}"#)
                == TerminalMethods.Past(sessionID: "s-2")
        )
        #expect(
            try read(TerminalMethods.acknowledge, #"{"sessionId":"s-1","seq":1}"#)
                == TerminalMethods.Acknowledgement(sessionID: "s-1", seq: 1)
        )
        #expect(
            try read(TerminalMethods.close, #"{"projectId":"p-1","sessionId":"s-2"}"#)
                == TerminalMethods.Session("s-2")
        )
    }

    @Test("what our phones send is what they have always sent, and is read as it was meant")
    func parameters() throws {
        let request = TerminalRequest(shell: "sh", environment: ["A": "b"], folder: "/tmp")
        let create = TerminalMethods.Create(request, acknowledges: true)
        let createText =
            #"{"acknowledges":true,"cols":80,"cwd":"/tmp","env":{"A":"b"},"rows":24,"shell":"sh"}"#
        #expect(text(create) == createText)
        #expect(try read(TerminalMethods.create, createText) == create)
        #expect(
            text(TerminalMethods.Create(TerminalRequest(), acknowledges: true))
                == #"{"acknowledges":true,"cols":80,"env":{},"rows":24}"#
        )

        let attach = TerminalMethods.List(sessionID: "s-1", acknowledges: true)
        #expect(text(attach) == #"{"acknowledges":true,"sessionId":"s-1"}"#)
        #expect(try read(TerminalMethods.list, text(attach)) == attach)
        let look = TerminalMethods.List(subscribes: false)
        #expect(text(look) == #"{"subscribe":false}"#)
        #expect(try read(TerminalMethods.list, text(look)) == look)

        let input = TerminalMethods.Input(sessionID: "s-1", text: "ls\r", place: .init(inputID: "i", seq: 7))
        #expect(text(input) == #"{"data":"ls\r","inputId":"i","inputSeq":7,"sessionId":"s-1"}"#)
        #expect(try read(TerminalMethods.stdin, text(input)) == input)

        let resize = TerminalMethods.Resize(sessionID: "s-1", size: try TerminalSize(columns: 1, rows: 1000))
        #expect(text(resize) == #"{"cols":1,"rows":1000,"sessionId":"s-1"}"#)
        #expect(try read(TerminalMethods.resize, text(resize)) == resize)

        let past = TerminalMethods.Past(sessionID: "s-1", from: 5)
        #expect(text(past) == #"{"fromSeq":5,"sessionId":"s-1"}"#)
        #expect(try read(TerminalMethods.history, text(past)) == past)

        let acknowledgement = TerminalMethods.Acknowledgement(sessionID: "s-1", seq: 9)
        #expect(text(acknowledgement) == #"{"seq":9,"sessionId":"s-1"}"#)
        #expect(try read(TerminalMethods.acknowledge, text(acknowledgement)) == acknowledgement)

        #expect(text(TerminalMethods.Session("s-1")) == #"{"sessionId":"s-1"}"#)
    }

    @Test("answers are read as they were written")
    func answers() throws {
        let created = TerminalMethods.Created(
            sessionID: "s-1",
            processID: 4321,
            shell: "/bin/bash",
            folder: "/home/ada",
            createdAtMilliseconds: 1_790_000_000_000
        )
        #expect(
            created.wire.canonicalText
                == #"{"createdAt":1790000000000,"cwd":"/home/ada","pid":4321,"projectId":null,"sessionId":"s-1","shell":"/bin/bash"}"#
        )
        #expect(try TerminalMethods.Created(wire: created.wire) == created)
        let listing = TerminalMethods.Listing([
            TerminalEntry(
                id: "s-1",
                shell: "/bin/sh",
                folder: "/",
                lastSeq: 4,
                projectID: "p",
                createdAtMilliseconds: 1
            ),
            TerminalEntry(id: "s-2", isAlive: false, exitCode: 137, signal: 9),
            TerminalEntry(
                id: "s-3",
                program: "make",
                currentFolder: "/var/log",
                writtenAtMilliseconds: 9,
                lastLine: "[3/9] main.o"
            ),
        ])
        #expect(try TerminalMethods.Listing(wire: listing.wire) == listing)
        #expect(listing["s-2"]?.signal == 9 && listing["s-4"] == nil)
        #expect(
            listing.sessions[0].wire.canonicalText
                == #"{"alive":true,"createdAt":1,"cwd":"/","exitCode":null,"id":"s-1","lastSeq":4,"projectId":"p","shell":"/bin/sh","signal":null}"#
        )
        let history = TerminalHistory(chunks: [.init(seq: 2, data: "x")], isTruncated: true, hasMore: true)
        #expect(
            history.wire.canonicalText == #"{"chunks":[{"data":"x","seq":2}],"more":true,"truncated":true}"#
        )
        #expect(try TerminalHistory(wire: history.wire) == history)
        #expect(TerminalMethods.Accepted().wire == ["ok": true])
    }

    @Test("answers of programs that leave things out are read")
    func tolerant() throws {
        #expect(try TerminalMethods.Created(wire: ["sessionId": "s"]) == TerminalMethods.Created(sessionID: "s"))
        let entries = [TerminalEntry(id: "s")]
        #expect(try TerminalMethods.Listing(wire: [["id": "s"], ["shell": "sh"], 5]).sessions == entries)
        #expect(try TerminalMethods.Listing(wire: ["sessions": [["id": "s", "lastSeq": "4"]]]).sessions == entries)
        #expect(try TerminalMethods.Listing(wire: [:]).sessions == [])
        #expect(
            try TerminalHistory(wire: ["chunks": []])
                == TerminalHistory(chunks: [], isTruncated: false, hasMore: false)
        )
    }

    @Test(
        "an answer without what it is about is refused",
        arguments: [
            nil, 5, "s", [], [:], ["sessionId": 5], ["sessionId": ""], ["sessionId": nil],
            ["sessionId": .string(String(repeating: "s", count: 129))],
        ] as [JSONValue]
    )
    func malformed(answer: JSONValue) {
        #expect(throws: RemoteError.malformedResult) { try TerminalMethods.Created(wire: answer) }
        #expect(throws: RemoteError.malformedResult) { try TerminalHistory(wire: answer) }
    }

    @Test("numbers that do not fit are not believed")
    func hugeNumbers() throws {
        let created = try TerminalMethods.Created(wire: ["sessionId": "s", "pid": .integer(.max)])
        #expect(created.processID == nil)
        let entry = try #require(TerminalEntry(wire: ["id": "s", "lastSeq": .integer(.max)]))
        #expect(entry.lastSeq == 0)
        #expect(throws: RemoteError.malformedResult) { try TerminalMethods.Listing(wire: ["sessions": 5]) }
        #expect(throws: RemoteError.malformedResult) { try TerminalMethods.Listing(wire: "none") }
    }

    @Test("events are read as they were written, and others not at all")
    func events() {
        for event in [
            TerminalEvent.output(text: "hi", seq: 3), .exit(code: 137, signal: 9), .exit(code: 0, signal: nil),
        ] {
            let told = RemoteEvent(event.kind, event.members(session: "s-1", project: nil))
            #expect(told.members["projectId"] == .null)
            #expect(TerminalEvent(told, session: "s-1") == event)
            #expect(TerminalEvent(told, session: "s-2") == nil)
            #expect(TerminalEvent(RemoteEvent("chat.message", told.members), session: "s-1") == nil)
        }
    }

    @Test("every refusal has its documented code, and its text tells it from the others")
    func refusals() throws {
        for error in [
            TerminalError.stopped, .sessionIDRequired, .sessionNotFound, .sessionNotAlive, .invalidDimensions,
            .shellNotAllowed, .tooManySessions, .inputFull, .inputOutOfOrder,
        ] {
            let (code, word) = (try #require(error.facts.code), try #require(error.facts.word))
            #expect(TerminalError(RemoteFailure(code: code, message: word)) == error)
            #expect(error.facts.reason == word)
            #expect(word != error.description)
        }
        #expect(TerminalError.folderMissing("/x").facts.word == nil)
        #expect(TerminalError.badEnvironment.facts.code == -32602)
        #expect(TerminalError.tooManySessions.facts.code == -32005)
        #expect(TerminalError.notStarted(code: 2).facts.code == -32603)
    }

    @Test("every refusal has the kind that it had, for the page")
    func kinds() {
        let rows: [(TerminalError, FailureKind)] = [
            (.sessionNotFound, .notFound), (.sessionNotAlive, .notFound), (.folderMissing("x"), .notFound),
            (.sessionIDRequired, .badRequest), (.invalidDimensions, .badRequest), (.badEnvironment, .badRequest),
            (.inputOutOfOrder, .badRequest), (.inputFull, .tooLarge), (.stopped, .refused),
            (.shellNotAllowed, .refused),
            (.tooManySessions, .refused), (.notStarted(code: 2), .internal),
        ]
        for (error, kind) in rows { #expect(error.facts.kind == kind, "\(error)") }
    }

    @Test("the methods are declared as the documents list them")
    func declarations() {
        let rows = TerminalMethods.all.map {
            "\($0.name) \($0.risk.rawValue) \($0.continues ?? "-") \($0.isOrdered) \($0.mayWait)"
        }
        #expect(
            rows == [
                "terminal.create Privileged - false false", "terminal.list Safe - false false",
                "terminal.stdin Privileged sessionId true false", "terminal.resize Safe sessionId true false",
                "terminal.close Mutating - false false", "terminal.history Safe sessionId false false",
                "terminal.ack Safe sessionId false false", "terminal.unsubscribe Safe - false false",
            ]
        )
        #expect(TerminalMethods.all.allSatisfy { $0.permission == Permission(.terminal) && $0.otherNames.isEmpty })
    }
}
