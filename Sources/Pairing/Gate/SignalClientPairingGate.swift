public import Foundation
public import Kernel
public import Signaling
import Synchronization

/// Pairing's gate over a signaling client. The client may serve others at the same time: every reader gets everything.
public struct SignalClientPairingGate: PairingSignalingGate {
    private let client: any SignalClient
    private let category: SignalDevice.Category

    public init(_ client: any SignalClient, category: SignalDevice.Category) {
        self.client = client
        self.category = category
    }

    /// Connects the client; see `SignalClient.connect(to:)`.
    public func connect(to url: URL) async throws { try await client.connect(to: url) }

    public func register(as id: String, device: PairingDeviceInfo) async throws {
        try await client.register(
            as: id,
            device: SignalDevice(category: category, info: device.signalInfo)
        )
    }

    public func send(_ payload: JSONValue, to id: String) async throws {
        // A refused device stays a stranger, and does not get to see when this device is here.
        let isRefusal = payload["type"]?.stringValue == SignalKind.pairingReject.rawValue
        try await client.send(SignalMessage(to: id, payload: payload, makesContact: !isRefusal))
    }

    public var dropsForAbsentAliases: Bool { client.state.presence?.isTandem == true }

    public func reset() async { await client.reset() }

    public func events() -> AsyncStream<PairingGateEvent> {
        let messages = client.messages()
        let states = client.states()
        let (stream, reader) = AsyncStream.makeStream(
            of: PairingGateEvent.self,
            bufferingPolicy: .bufferingNewest(256)
        )
        // Ends with its reader: see `onTermination`.
        let relay = Task {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    for await event in messages {
                        if let event = PairingGateEvent(event) { reader.yield(event) }
                    }
                }
                group.addTask {
                    var watch = ConnectionWatch()
                    for await state in states {
                        if let event = watch.event(for: state) { reader.yield(event) }
                    }
                }
            }
            reader.finish()
        }
        reader.onTermination = { _ in relay.cancel() }
        return stream
    }
}

/// Tells a connection that was lost and came back from one that its owner opened or ended.
public struct ConnectionWatch: Sendable {
    private var isLost = false

    public init() {}

    /// The pairing event that a change of the client's state causes; nil for none.
    public mutating func event(for state: SignalClientState) -> PairingGateEvent? {
        switch state {
        case .waiting:
            guard !isLost else { return nil }
            isLost = true
            return .disconnected(reason: "the connection was lost")
        case .replaced:
            // The client takes the id back after a while.
            isLost = true
            return .disconnected(reason: "this device connected from elsewhere")
        case .refused(let error):
            // The client asks again after a while.
            isLost = true
            return .disconnected(reason: "\(error)")
        case .registered:
            guard isLost else { return nil }
            isLost = false
            return .reconnected
        case .disconnected:
            isLost = false
            return nil
        case .connecting, .connected:
            return nil
        }
    }
}

extension PairingGateEvent {
    /// Nil for events of other features, and for pairing messages above 16 KiB, because events wait in queues that are bounded by number.
    public init?(_ event: SignalEvent) {
        switch event {
        case .message(let message):
            let payload = message.pairingPayload
            guard PairingMessage.isAcceptable(payload) else { return nil }
            self = .message(from: message.from, payload: payload)
        case .peerOffline(let report) where report.messageType != "binary":
            self = .peerOffline(id: report.peerID)
        default:
            return nil
        }
    }
}

extension ReceivedMessage {
    /// The pairing payload. A pairing frame may come without a `message` around it; its type is then the frame's.
    fileprivate var pairingPayload: JSONValue {
        guard kind != .message, var members = payload.objectValue else { return payload }
        members["type"] = .string(kind.rawValue)
        return .object(members)
    }
}

extension PairingDeviceInfo {
    /// The `deviceInfo` of a registration.
    fileprivate var signalInfo: [String: JSONValue] {
        var info: [String: JSONValue] = ["name": .string(name), "platform": .string(platform.rawValue)]
        if let version { info["version"] = .string(version) }
        if let deviceID { info["deviceId"] = .string(deviceID) }
        return info
    }
}
