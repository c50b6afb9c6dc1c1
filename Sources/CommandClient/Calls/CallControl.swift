package import Control
package import Kernel

/// What commands and pages ask of a phone about one of its computers. The members' names are those that `--json` prints.
package enum CallControl {
    package static let call = ControlMethod<Call, JSONValue>(
        "call",
        summary: "Call one method of a paired computer."
    )
    package static let events = ControlStream<ComputerChoice, Event, NoControlAnswer>(
        "events",
        summary: "Report what a computer tells."
    )
    package static let reachability = ControlStream<ComputerChoice, Bool, NoControlAnswer>(
        "reachability",
        summary: "Report whether a computer is reached, now and after each change."
    )

    package struct Call: Codable, Hashable, Sendable {
        package var method: String
        /// An object; nil for an empty one.
        package var params: JSONValue?
        /// The computer's id or name; nil where only one is paired.
        package var device: String?
        /// Seconds, 1 to 3600; nil for 30.
        package var timeout: Int?

        package init(_ method: String, _ params: JSONValue, device: String?, timeout: Int) {
            self.method = method
            self.params = params
            self.device = device
            self.timeout = timeout
        }

        /// - Throws: `ControlError/badParameter(name:expected:)`.
        package func limit() throws(ControlError) -> Duration {
            let seconds = timeout ?? 30
            guard (1...3600).contains(seconds) else {
                throw .badParameter(name: "timeout", expected: "1 to 3600 seconds")
            }
            return .seconds(seconds)
        }
    }

    package struct Event: Codable, Hashable, Sendable {
        package var event: String
        package var members: [String: JSONValue]?

        package init(_ event: String, _ members: [String: JSONValue]) {
            self.event = event
            self.members = members
        }
    }
}

package struct ComputerChoice: Codable, Hashable, Sendable {
    /// The computer's id or name; nil where only one is paired, or for all of them.
    package var device: String?

    package init(_ device: String?) { self.device = device }
}
