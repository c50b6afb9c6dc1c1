import Chat
public import Control

/// What a phone's commands and pages ask of the account's list of devices.
public struct ChatDeviceRoutes: Sendable {
    /// The parts of a session that answer.
    struct Parts: Sendable {
        let sealing: SealedMessages
        let handover: HandoverDesk
    }

    private let parts: @Sendable () async -> Parts?

    /// - Parameter parts: Those of the account that is signed in; nil for none.
    init(parts: @escaping @Sendable () async -> Parts?) { self.parts = parts }

    public var all: [ControlRoute] {
        [
            ControlRoute(ChatControl.devices) { _ in try await devices(signedIn()) },
            ControlRoute(ChatControl.addDevice) { device in
                let parts = try await signedIn()
                try await parts.sealing.addDevice(device.did, words: device.words)
                if device.history == true { try await parts.handover.handOver(toAdded: device.did) }
                return try await devices(parts)
            },
            ControlRoute(ChatControl.handOver) { device in
                let parts = try await signedIn()
                try await parts.handover.handOver(to: device.did)
                return try await devices(parts)
            },
            ControlRoute(ChatControl.removeDevice) { device in
                let parts = try await signedIn()
                try await parts.sealing.removeDevice(device.did)
                return try await devices(parts)
            },
            ControlRoute(ChatControl.renewDevices) { renewal in
                let parts = try await signedIn()
                try await parts.sealing.renewList(adopting: renewal.adopt)
                return try await devices(parts)
            },
        ]
    }

    private func devices(_ parts: Parts) async throws -> ChatControl.DeviceList {
        var list = try await parts.sealing.devices()
        let progress = try await parts.handover.progress()
        for index in list.devices.indices where list.devices[index].state != .waiting {
            list.devices[index].handover = progress[list.devices[index].did]
        }
        return list
    }

    private func signedIn() async throws -> Parts {
        guard let parts = await parts() else { throw ChatError.noAccount }
        return parts
    }
}
