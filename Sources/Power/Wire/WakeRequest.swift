public import Commands
public import Kernel

/// The limits of requests to wake a computer.
public enum WakeLimits {
    /// Interfaces of one computer that are named in one request or status.
    public static let addresses = 8
}

/// The computer to wake, by the addresses of its interfaces.
public struct WakeRequest: MethodParameters, Hashable {
    /// 1 to ``WakeLimits/addresses``.
    public var addresses: [HardwareAddress]

    public init(_ addresses: [HardwareAddress]) { self.addresses = addresses }

    public init(wire: RemoteParameters) throws {
        let list = wire.value.objectValue?["addresses"]?.arrayValue ?? []
        guard (1...WakeLimits.addresses).contains(list.count) else { throw Self.malformed }
        // One address that is none spoils the request: packets for some of what was meant would look like success.
        addresses = try list.map { entry in
            guard let address = entry.stringValue.flatMap({ HardwareAddress($0) }) else { throw Self.malformed }
            return address
        }
    }

    private static var malformed: RemoteFailure {
        .badParameter(
            "addresses",
            "1 to \(WakeLimits.addresses) addresses of network interfaces, such as 52:54:00:12:34:56"
        )
    }

    public var wire: JSONValue { ["addresses": .array(addresses.map { .string($0.description) })] }
}

/// What was sent. Whether the other computer woke is not known to the sender.
public struct WakeSent: MethodAnswer, Hashable {
    /// Packets that went out, over all interfaces of the sender.
    public var packetCount: Int

    public init(packetCount: Int) { self.packetCount = packetCount }

    public init(wire: JSONValue) throws(RemoteError) {
        packetCount = try AnswerMembers(wire).count("packets") ?? 0
    }

    public var wire: JSONValue { ["success": true, "packets": .integer(Int64(packetCount))] }
}
