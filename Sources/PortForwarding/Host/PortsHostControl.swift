package import Control

/// The control methods of ports, for commands and the page of a computer.
package enum PortsHostControl {
    package static let list = ControlMethod<NoControlParameters, List>(
        "ports.list",
        summary: "The ports of this computer that phones may open, and what phones have open."
    )
    package static let allow = ControlMethod<Allow, List>(
        "ports.allow",
        summary: "Let phones open a port of this computer."
    )
    package static let deny = ControlMethod<Deny, List>(
        "ports.deny",
        summary: "Take a port of this computer off the list; what phones have open there ends."
    )
    package static let found = ControlMethod<NoControlParameters, Found>(
        "ports.found",
        summary: "The ports on which programs of yours listen on this computer."
    )

    package struct List: Codable, Hashable, Sendable {
        /// A port that phones may open.
        package struct Port: Codable, Hashable, Sendable {
            package var port: Int
            /// Empty for none.
            package var name: String
            /// The phone's id; null for every phone that has the right.
            @OrNull package var phone: String?
            /// The phone's name; null where it is for every phone.
            @OrNull package var phoneName: String?
        }

        /// A phone that has the right.
        package struct Phone: Codable, Hashable, Sendable {
            package var id: String
            package var name: String
        }

        /// What one phone has open on one port.
        package struct Open: Codable, Hashable, Sendable {
            package var port: Int
            package var phone: String
            package var phoneName: String
            package var connections: Int
            /// Bytes to the phone over the connections that are open.
            package var sent: Int64
            /// Bytes from the phone.
            package var received: Int64
        }

        package var ports: [Port]
        package var phones: [Phone]
        package var open: [Open]
    }

    package struct Allow: Codable, Hashable, Sendable {
        package var port: Int
        /// A phone's id or name; nil for every phone that has the right.
        package var phone: String?
        /// A name for people; nil for none.
        package var name: String?

        package init(port: Int, phone: String?, name: String?) {
            self.port = port
            self.phone = phone
            self.name = name
        }
    }

    package struct Deny: Codable, Hashable, Sendable {
        package var port: Int
        /// A phone's id or name, to take back what was said for it alone; nil for all of the port.
        package var phone: String?
        /// Takes back only what was said for every phone, and leaves the lines of single ones. Not beside ``phone``.
        package var everyPhone: Bool?

        package init(port: Int, phone: String?, everyPhone: Bool? = nil) {
            self.port = port
            self.phone = phone
            self.everyPhone = everyPhone
        }
    }

    package struct Found: Codable, Hashable, Sendable {
        package struct Port: Codable, Hashable, Sendable {
            package var port: Int
            /// Null where it is not known.
            @OrNull package var program: String?
        }

        package var ports: [Port]
    }
}
