import Foundation

/// Why nothing was measured. The description is shown to the person: what happened, then what to do.
enum LoadError: Error, Hashable, CustomStringConvertible {
    case system(call: String, reason: String)
    case notOpened(person: String, answer: String)
    case closed(person: String)
    case refused(person: String, answer: String)
    case stuck(seconds: Int)
    case tooFewPeople(needed: Int, given: Int)
    case noProcess(Int32)

    /// With the system's reason for the last call.
    static func last(_ call: String) -> LoadError { .system(call: call, reason: String(cString: strerror(errno))) }

    var description: String {
        switch self {
        case .system(let call, let reason): "\(call) failed: \(reason)."
        case .notOpened(let person, let answer):
            "The server did not let \(person) in; it said: \(answer). Check the file of people and the server's log."
        case .closed(let person): "The server closed the connection of \(person). See its log."
        case .refused(let person, let answer):
            "The server refused a message of \(person): \(answer). Are its limits for senders out of reach?"
        case .stuck(let seconds): "Nothing came for \(seconds) s. The server or this machine is stuck."
        case .tooFewPeople(let needed, let given): "\(needed) people are needed and the file has \(given)."
        case .noProcess(let id): "There is no process \(id). The server has ended; see its log."
        }
    }
}
