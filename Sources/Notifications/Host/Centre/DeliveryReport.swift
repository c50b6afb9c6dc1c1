import Kernel

/// The outcome of one notification's delivery to each of several phones.
final class DeliveryReport: Sendable {
    let devices: Set<String>
    private let known = LatestValue<[String: Bool]>([:])

    /// - Parameter devices: The phones that are waited for.
    init(_ devices: Set<String>) { self.devices = devices }

    /// - Parameter delivered: It was told, waits on disk for it, or it catches up.
    func finish(_ device: String, delivered: Bool) { known.update { $0[device] = delivered } }

    /// How many phones have it or will have it, once each is known or the time is over: the others are counted as not told.
    func delivered(within duration: Duration, on time: any TimeSource) async -> Int {
        struct Late: Error {}
        // Answers that are known when the time is over count all the same.
        try? await withTimeout(duration, on: time, throwing: Late()) { [known, devices] in
            for await known in known.values() where devices.isSubset(of: known.keys) { return }
        }
        return known.value.count { devices.contains($0.key) && $0.value }
    }
}
