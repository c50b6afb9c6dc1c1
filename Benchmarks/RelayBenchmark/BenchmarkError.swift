/// Why nothing was measured. The description is shown to the person: what happened, then what to do.
enum BenchmarkError: Error, Hashable, CustomStringConvertible {
    case noSecondCore
    case cannotStart(command: String)
    case noPort(command: String)
    case serverEnded(name: String)
    case tooFewFiles(needed: Int, granted: Int)
    case system(call: String, reason: String)
    case notUpgraded(answer: String)
    case notRegistered(answer: String)
    case wrongForward(frame: String)
    case unexpectedFrames(count: Int)
    case stuck(scenario: String)

    var description: String {
        switch self {
        case .noSecondCore:
            "Server and load need a core each, and this process may use one. Run it on a machine with two, or widen its CPU set."
        case .cannotStart(let command):
            "\(command) did not start. Check the path, and build it first."
        case .noPort(let command):
            "\(command) ended or waited without printing its port. It must print {\"port\":N}; run it by hand to see why not."
        case .serverEnded(let name):
            "The server \(name) ended while it was measured. See its log above."
        case .tooFewFiles(let needed, let granted):
            "\(needed) open files are needed and \(granted) are granted. Raise the hard limit: ulimit -Hn."
        case .system(let call, let reason):
            "\(call) failed: \(reason)."
        case .notUpgraded(let answer):
            "The server did not open a WebSocket; it said: \(answer)"
        case .notRegistered(let answer):
            "The server did not register a client; it said: \(answer)"
        case .wrongForward(let frame):
            "The server forwarded a message wrongly: \(frame)"
        case .unexpectedFrames(let count):
            "Senders were sent \(count) frames they should not get, errors probably. Are the server's rate limits off?"
        case .stuck(let scenario):
            "No frame arrived for 10 s in \(scenario). The server or this machine is stuck."
        }
    }
}
