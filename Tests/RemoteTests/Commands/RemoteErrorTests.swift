import Commands
import Testing

@Suite("Why a call was not sent", .timeLimit(.minutes(1)))
struct RemoteErrorTests {
    @Test(
        "a reason ends in one full stop, whether it is a part of a sentence or a whole one",
        arguments: ["the time to wait is 0", "The time to wait is 0. Give a longer one."]
    )
    func fullStop(reason: String) {
        let stop = reason.hasSuffix(".") ? "" : "."
        #expect("\(RemoteError.invalidArgument(reason))" == "The call was not sent: " + reason + stop)
        #expect("\(RemoteError.invalidRequest(reason))" == "The request is not valid: " + reason + stop)
    }
}
