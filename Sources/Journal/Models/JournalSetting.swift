package import Kernel

/// A setting of the journal.
package struct JournalSetting: Hashable, Sendable {
    /// Unique.
    package var key: String
    /// `bool`, `int`, `string` or `json`; other words survive.
    package var type: String
    package var value: String
    /// Milliseconds since 1970.
    package var updatedAt: Int64
    /// Members of its record that this version does not know.
    package var extra: [String: JSONValue] = [:]

    /// Beginnings of keys that belong to one device and never move to another: its lock, its push token, a migration under way.
    static let deviceBound = ["biometric", "lock.", "push", "migration", "device."]

    /// Whether the setting belongs to this device alone.
    var isDeviceBound: Bool {
        let key = key.lowercased()
        return Self.deviceBound.contains { key.hasPrefix($0) }
    }

    /// Whether the value is one of its type; one of an unknown type is.
    var isValid: Bool {
        switch type {
        case "bool": ["true", "false"].contains(value)
        case "int": Int64(value) != nil
        case "json": (try? JSONValue(parsing: value.utf8)) != nil
        default: true
        }
    }
}
