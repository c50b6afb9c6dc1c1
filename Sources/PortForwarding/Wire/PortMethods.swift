package import Commands
package import Kernel
import Rights

/// The methods of forwarded ports. Source: `docs/protocol.md`, "Ports".
package enum PortMethods {
    package static let list = Method<NoParameters, PortList>(
        "port.list",
        needs: Permission(.portsOpen),
        risk: .safe,
        summary: "List the ports of this computer that this phone may open."
    )
    /// Asked for by a frame and never called: the name under which a connection is allowed and written down.
    package static let connect = Method<NoParameters, Done>(
        "port.connect",
        needs: Permission(.portsOpen),
        risk: .privileged,
        summary: "Connect to a port of this computer."
    )
    /// Asked for by a frame and never called: the parts of a connection that ``connect`` opened, which are not written down one by one.
    package static let pass = Method<NoParameters, Done>(
        "port.pass",
        needs: Permission(.portsOpen),
        risk: .safe,
        continues: "stream",
        summary: "Pass bytes of a connection to a port."
    )

    package static let all: [MethodDeclaration] = [list.declaration, connect.declaration, pass.declaration]
}

/// The ports that a phone may open at a computer.
package struct PortList: MethodAnswer, Hashable {
    /// One of them.
    package struct Entry: Hashable, Sendable {
        /// 1 to 65535.
        package var port: Int
        /// The owner's name for it; empty for none.
        package var name: String
        /// Whether a program listens there now; nil where the computer does not say.
        package var isListening: Bool?

        package init(port: Int, name: String, isListening: Bool? = nil) {
            self.port = port
            self.name = name
            self.isListening = isListening
        }
    }

    /// By their numbers.
    package var ports: [Entry]

    package init(_ ports: [Entry]) { self.ports = ports }

    package init(wire: JSONValue) throws(RemoteError) {
        guard let list = wire["ports"]?.arrayValue else { throw .malformedResult }
        ports = list.prefix(PortLimits.grants).compactMap { entry in
            guard let port = entry["port"]?.integerValue.flatMap(Int.init(exactly:)), PortLimits.ports.contains(port)
            else { return nil }
            let name = entry["name"]?.stringValue ?? ""
            return Entry(
                port: port,
                name: name.utf8.count <= PortLimits.nameBytes ? name : "",
                isListening: entry["listening"]?.boolValue
            )
        }
    }

    package var wire: JSONValue {
        [
            "ports": .array(
                ports.map {
                    .known([
                        "port": .integer(Int64($0.port)), "name": .string($0.name),
                        "listening": $0.isListening.map(JSONValue.bool),
                    ])
                }
            )
        ]
    }
}
