import Commands
import Kernel
import TandemPhone
import Testing

@Suite("What programs are told of a failed call", .timeLimit(.minutes(1)))
struct FailureFactsTests {
    @Test("the kind of an answer follows from its code, which it does not give to another asker")
    func answers() {
        let rows: [(Int, FailureKind)] = [
            (FailureCode.notAllowed, .notAllowed), (FailureCode.unknownMethod, .unknownMethod),
            (FailureCode.unsupported, .unknownMethod), (FailureCode.badParameters, .badRequest),
            (FailureCode.invalidRequest, .badRequest), (FailureCode.quota, .tooLarge),
            (FailureCode.notFound, .notFound), (FailureCode.unknownTransfer, .notFound), (FailureCode.exists, .exists),
            (FailureCode.cancelled, .cancelled), (FailureCode.internalError, .internal),
            (FailureCode.checksum, .internal), (FailureCode.busy, .refused), (FailureCode.notProven, .refused),
            (7, .refused),
        ]
        for (code, kind) in rows {
            #expect(RemoteFailure(code: code, message: "No.").facts == .kind(kind), "\(code)")
        }
    }

    @Test("a page is told the documented word of an answer, and only where the feature knew it")
    func words() {
        let known = FailureReport(RemoteFailure(code: -32602, message: "word", explanation: "It is so."))
        #expect(known.reason == "word")
        #expect(known.message == "It is so.")
        #expect(known.values == [:])
        #expect(FailureReport(RemoteFailure(code: -32602, message: "word")).reason == nil)
    }

    @Test("a call without an answer is away and no absence: it may have been done")
    func calls() {
        let away: [RemoteError] = [
            .timeout(id: "1", method: "a.b", after: .seconds(1)), .notConnected, .allTransportsFailed(lastError: "x"),
        ]
        for error in away { #expect(error.facts == .kind(.away)) }
        #expect(RemoteError.notPaired.facts == .kind(.refused))
        #expect(RemoteError.tooManyWaiting(limit: 1).facts == .kind(.refused))
        #expect(RemoteError.malformedResult.facts == .kind(.internal))
        #expect(RemoteError.resultTooLarge(bytes: 2, limit: 1).facts == .kind(.tooLarge))
        #expect(RemoteError.invalidArgument("x").facts == .kind(.badRequest))
        #expect(RemoteError.invalidRequest("x").facts == .kind(.badRequest))
    }

    @Test("a computer that is known to be away was sent nothing")
    func absence() {
        #expect(PhoneError.away(name: "Desk").facts == .kind(.away, isAbsence: true))
        #expect(PhoneError.unreachable(name: "Desk").facts == .kind(.offline, isAbsence: true))
        let others: [PhoneError] = [
            .nothingPaired, .unknownComputer("x"), .severalComputers(["x"]), .sealed(name: "x"), .notPaired(name: "x"),
            .badAddress("x"), .noFeature("x"),
        ]
        #expect(!others.contains { $0.facts.isAbsence })
    }

    @Test("an error that nobody classified is refused with its sentence, and one that was ended is cancelled")
    func others() {
        struct Other: Error, CustomStringConvertible {
            let description = "It broke."
        }
        let other = FailureReport(Other())
        #expect(other.kind == .refused)
        #expect(other.message == "It broke.")
        #expect(other.json == ["code": "refused", "message": "It broke."])
        #expect(FailureReport(CancellationError()).kind == .cancelled)
    }
}
