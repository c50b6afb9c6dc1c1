package import Control

/// The control methods of ports, for commands and pages on a phone's device.
package enum PortsControl {
    package static let remote = ControlMethod<Computer, Remote>(
        "ports.remote",
        summary: "The ports of a computer that this phone may open, and those that are open here."
    )
    package static let enter = ControlMethod<Enter, Entered>(
        "ports.enter",
        summary: "Open a port of a computer for one browser of this machine."
    )
    package static let close = ControlMethod<Choice, Closed>(
        "ports.close",
        summary: "Close what leads from this machine to a port of a computer."
    )
    package static let forward = ControlStream<Forward, Listening, Ended>(
        "ports.forward",
        summary: "Lead a port of this machine to one of a computer, for every program here."
    )

    package struct Computer: Codable, Hashable, Sendable {
        /// The computer's id or name; nil where only one is paired.
        package var device: String?

        package init(device: String?) { self.device = device }
    }

    package struct Remote: Codable, Hashable, Sendable {
        /// A port that this phone may open.
        package struct Port: Codable, Hashable, Sendable {
            package var port: Int
            /// Empty for none.
            package var name: String
            /// Whether a program listens there; null where the computer does not say.
            @OrNull package var listening: Bool?
        }

        /// A port of this machine that leads to one of them.
        package struct Open: Codable, Hashable, Sendable {
            /// The computer's port.
            package var port: Int
            /// This machine's.
            package var local: Int
            /// The origin, of one for browsers; null for one for programs.
            @OrNull package var origin: String?
            /// Connections now.
            package var connections: Int
            /// Bytes from the computer since it was opened first.
            package var received: Int64
            /// Bytes to the computer.
            package var sent: Int64
        }

        /// The computer's id.
        package var computer: String
        package var ports: [Port]
        package var open: [Open]
    }

    package struct Enter: Codable, Hashable, Sendable {
        /// The computer's id or name; nil where only one is paired, and for all where no port is named.
        package var device: String?
        /// Nil to close all that browsers were let into.
        package var port: Int?

        package init(device: String?, port: Int?) {
            self.device = device
            self.port = port
        }
    }

    package struct Entered: Codable, Hashable, Sendable {
        /// An address for one browser, good for a minute and once; null where no port was named.
        @OrNull package var url: String?
    }

    package struct Choice: Codable, Hashable, Sendable {
        /// The computer's id or name; nil where only one is paired.
        package var device: String?
        package var port: Int

        package init(device: String?, port: Int) {
            self.device = device
            self.port = port
        }
    }

    package struct Closed: Codable, Hashable, Sendable {
        /// Ports of this machine that were closed.
        package var count: Int
    }

    package struct Forward: Codable, Hashable, Sendable {
        /// The computer's id or name; nil where only one is paired.
        package var device: String?
        package var port: Int
        /// The port of this machine; nil or 0 for any.
        package var listen: Int?

        package init(device: String?, port: Int, listen: Int?) {
            self.device = device
            self.port = port
            self.listen = listen
        }
    }

    /// It listens.
    package struct Listening: Codable, Hashable, Sendable {
        package var host: String
        package var port: Int
    }

    package struct Ended: Codable, Hashable, Sendable {
        /// Why, in a sentence.
        package var reason: String
    }
}
