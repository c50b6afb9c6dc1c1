import Chat
public import Control

/// What a phone's commands and pages ask of the account's list of devices.
public struct ChatDeviceRoutes: Sendable {
    private let sealing: @Sendable () async -> SealedMessages?

    /// - Parameter sealing: That of the account that is signed in; nil for none.
    public init(sealing: @escaping @Sendable () async -> SealedMessages?) { self.sealing = sealing }

    public var all: [ControlRoute] {
        [
            ControlRoute(ChatControl.devices) { _ in try await signedIn().devices() },
            ControlRoute(ChatControl.addDevice) { device in
                let sealing = try await signedIn()
                try await sealing.addDevice(device.did, words: device.words)
                return try await sealing.devices()
            },
            ControlRoute(ChatControl.removeDevice) { device in
                let sealing = try await signedIn()
                try await sealing.removeDevice(device.did)
                return try await sealing.devices()
            },
            ControlRoute(ChatControl.renewDevices) { renewal in
                let sealing = try await signedIn()
                try await sealing.renewList(adopting: renewal.adopt)
                return try await sealing.devices()
            },
        ]
    }

    private func signedIn() async throws -> SealedMessages {
        guard let sealing = await sealing() else { throw ChatError.noAccount }
        return sealing
    }
}
