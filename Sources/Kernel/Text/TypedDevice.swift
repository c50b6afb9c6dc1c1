/// Finds devices by what a person types: an id or a name as a whole, or the beginning of an id.
package enum TypedDevice {
    /// Letters of a short id. Fewer than that, typed, name no device: a name is mistyped more easily than an id is guessed.
    package static let letters = 8
    /// All keys of the one kind that devices have begin with it, so it tells none from another.
    private static let sharedStart = "did:key:z6Mk"

    /// The beginning of an id that is shown in the place of all of it, and that ``matches(_:among:names:id:)`` takes.
    package static func short(_ id: String) -> String { String(telling(id).prefix(letters)) }

    /// The devices that may be meant. Several are to be refused, with ``choices(_:for:)``: a device chooses its name, and one that is called by the
    /// beginning of another's id must not get what was meant for that one.
    ///
    /// - Parameters:
    ///   - names: Everything that names a device as a whole, beside its id.
    ///   - id: The proven one, which is shown. As a whole it names its device, whatever others are called.
    package static func matches<Device>(
        _ typed: String,
        among devices: [Device],
        names: (Device) -> [String],
        id: (Device) -> String
    ) -> [Device] {
        let exact = devices.filter { id($0) == typed }
        guard exact.isEmpty else { return exact }
        let start = telling(typed)
        return devices.filter { device in
            names(device).contains(typed) || start.count >= letters && telling(id(device)).hasPrefix(start)
        }
    }

    /// What a person can type for each of several devices of which one is meant: short ids, or whole ones where a short one would not tell them apart.
    package static func choices(_ ids: [String], for typed: String) -> [String] {
        let shorts = ids.map(short)
        let tell = Set(shorts).count == shorts.count && !shorts.contains { telling(typed).hasPrefix($0) }
        return tell ? shorts : ids
    }

    private static func telling(_ id: String) -> Substring {
        id.hasPrefix(sharedStart) ? id.dropFirst(sharedStart.count) : id[...]
    }
}
