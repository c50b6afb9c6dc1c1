import Kernel

/// Finds devices by what a person types: an id or a name as a whole, else the beginning of an id.
package enum TypedDevice {
    /// Letters of a short id. Fewer than that, typed, name no device: a name is mistyped more easily than an id is guessed.
    package static let letters = 8
    /// All keys of the one kind that devices have begin with it, so it tells none from another.
    private static let sharedStart = "did:key:z6Mk"

    /// The beginning of an id that is shown in the place of all of it, and that ``matches(_:among:names:id:)`` takes.
    package static func short(_ id: String) -> String { String(telling(id).prefix(letters)) }

    /// - Parameters:
    ///   - names: Everything that names a device as a whole, its ids among it.
    ///   - id: The one that is shown, of which the beginning counts where nothing is named as a whole.
    package static func matches<Device>(
        _ typed: String,
        among devices: [Device],
        names: (Device) -> [String],
        id: (Device) -> String
    ) -> [Device] {
        let whole = devices.filter { names($0).contains(typed) }
        guard whole.isEmpty, telling(typed).count >= letters else { return whole }
        return devices.filter { telling(id($0)).hasPrefix(telling(typed)) }
    }

    private static func telling(_ id: String) -> Substring {
        id.hasPrefix(sharedStart) ? id.dropFirst(sharedStart.count) : id[...]
    }
}
