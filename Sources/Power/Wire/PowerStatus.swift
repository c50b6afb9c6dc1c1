public import Commands
public import Kernel

/// What a computer can do of locking and sleeping, and how it can be woken.
public struct PowerStatus: MethodAnswer, Hashable {
    /// One interface that a magic packet may reach.
    public struct Interface: Hashable, Sendable {
        public var name: String
        public var address: HardwareAddress
        /// Whether the card listens for magic packets while the computer sleeps. Nil where the system does not say.
        public var isWakeOn: Bool?

        public init(name: String, address: HardwareAddress, isWakeOn: Bool?) {
            self.name = name
            self.address = address
            self.isWakeOn = isWakeOn
        }
    }

    /// Why the session cannot be locked, in a sentence for the person. Nil: it can.
    public var lockObstacle: String?
    /// Why the computer cannot sleep, in a sentence for the person. Nil: it can.
    public var sleepObstacle: String?
    /// At most ``WakeLimits/addresses``.
    public var interfaces: [Interface]

    public init(lockObstacle: String?, sleepObstacle: String?, interfaces: [Interface]) {
        self.lockObstacle = lockObstacle
        self.sleepObstacle = sleepObstacle
        self.interfaces = interfaces
    }

    /// Leaves out interfaces without an address that can be woken: one bad entry does not spoil its neighbours.
    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        lockObstacle = members.text("lockObstacle").map { String($0.prefix(512)) }
        sleepObstacle = members.text("sleepObstacle").map { String($0.prefix(512)) }
        let list = members.list("interfaces", limit: WakeLimits.addresses) ?? []
        interfaces = list.compactMap { entry in
            guard let entry = try? AnswerMembers(entry), let text = entry.text("address"),
                let address = HardwareAddress(text)
            else { return nil }
            let name = String((entry.text("name") ?? "").prefix(64))
            return Interface(name: name, address: address, isWakeOn: entry.flag("wakeOn"))
        }
    }

    public var wire: JSONValue {
        .known([
            "success": true, "lockObstacle": lockObstacle.map(JSONValue.string),
            "sleepObstacle": sleepObstacle.map(JSONValue.string),
            "interfaces": .array(
                interfaces.map { interface in
                    .known([
                        "name": .string(interface.name), "address": .string(interface.address.description),
                        "wakeOn": interface.isWakeOn.map(JSONValue.bool),
                    ])
                }
            ),
        ])
    }
}
