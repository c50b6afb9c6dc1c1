package import Control
package import Kernel

/// The control methods of a phone about one of its computers, for commands and pages. The members' names are those that `--json` prints.
package enum CallControl {
    package static let call = ControlMethod<MethodCall, JSONValue>(
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
