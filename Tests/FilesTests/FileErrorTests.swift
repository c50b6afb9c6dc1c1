import Commands
import Kernel
import Testing
import Transfers

/// The codes are a contract with the programs that phones run, the kinds one with the page.
@Suite("Why a file or a transfer was refused, for programs")
struct FileErrorTests {
    @Test("each refusal of a file has the code and the kind that it had")
    func files() {
        let rows: [(FileError, Int, FailureKind)] = [
            (.nothingShared, -32603, .notFound), (.stateFolder("x"), -32603, .notAllowed),
            (.outside("x"), -32010, .notAllowed), (.badName("x"), -32602, .badRequest),
            (.notFound("x"), -32024, .notFound), (.notAFolder("x"), -32602, .badRequest),
            (.isAFolder("x"), -32602, .badRequest), (.notOrdinary("x", .fifo), -32602, .badRequest),
            (.exists("x"), -32023, .exists), (.denied("x"), -32010, .notAllowed),
            (.startsPrograms("x"), -32010, .notAllowed), (.folderNotEmpty("x"), -32602, .exists),
            (.linkLoop("x"), -32603, .refused), (.diskFull(needed: 1), -32603, .full),
            (.otherDisk("x"), -32602, .badRequest), (.intoItself("x"), -32602, .badRequest),
            (.noTrash("x"), -32602, .refused), (.tooManyEntries("x", limit: 1), -32603, .tooLarge),
            (.unsupported("x"), -32006, .refused), (.system("x", reason: "y"), -32603, .refused),
        ]
        for (error, code, kind) in rows { expect(error, code, kind) }
    }

    @Test("each refusal of a transfer has the code and the kind that it had")
    func transfers() {
        let rows: [(TransferError, Int, FailureKind)] = [
            (.unknown(id: "x"), -32020, .notFound), (.ended, -32002, .cancelled),
            (.tooMany(limit: 1), -32005, .refused),
            (.badChunk("x"), -32602, .badRequest), (.incomplete(missing: 1), -32603, .internal),
            (.checksumMismatch, -32022, .internal), (.sourceChanged("x"), -32021, .refused), (.busy, -32005, .refused),
            (.refused(code: -32010, reason: "x"), -32010, .notAllowed),
            (.refused(code: -32024, reason: "x"), -32024, .notFound),
            (.malformedAnswer(method: "x"), -32603, .internal),
        ]
        for (error, code, kind) in rows { expect(error, code, kind) }
    }

    private func expect(_ error: any ClassifiedError, _ code: Int, _ kind: FailureKind) {
        #expect(error.facts == .code(code, kind: kind), "\(error)")
        let report = FailureReport(error)
        #expect(report.kind == kind)
        #expect(report.reason == nil)
    }

    @Test("blocking work that is not taken is refused as busy")
    func blocking() {
        #expect(BlockingWorkError.tooMuchWaits.facts == .code(FailureCode.busy))
    }

    @Test("what refuses is answered with its code and its sentence, and an answer goes on as it is")
    func answering() async throws {
        let busy = RemoteFailure(code: -32005, message: "\(TransferError.busy)")
        await #expect(throws: busy) {
            try await RemoteFailure.answering { () async throws -> Int in throw TransferError.busy }
        }
        let explained = RemoteFailure(code: -32602, message: "word", explanation: "It is so.")
        await #expect(throws: explained) {
            try await RemoteFailure.answering { () async throws -> Int in throw explained }
        }
        // An error without a code is made an answer by the router, which knows what was asked.
        await #expect(throws: RemoteError.notConnected) {
            try await RemoteFailure.answering { () async throws -> Int in throw RemoteError.notConnected }
        }
    }
}
