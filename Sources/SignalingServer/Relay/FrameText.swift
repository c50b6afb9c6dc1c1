import Kernel

/// Puts one JSON object together, member by member, from values that are JSON already or easily made so.
struct FrameText {
    private(set) var bytes: [UInt8] = [UInt8(ascii: "{")]

    init() {}

    init(type: String) {
        bytes.reserveCapacity(160)
        add("type", text: type)
    }

    private mutating func key(_ key: String) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        JSONValue.appendQuoted(key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }

    mutating func add(_ key: String, text: String) {
        self.key(key)
        JSONValue.appendQuoted(text, to: &bytes)
    }

    mutating func add(_ key: String, number: Int64) {
        self.key(key)
        bytes += Array(String(number).utf8)
    }

    mutating func add(_ key: String, flag: Bool) {
        self.key(key)
        bytes += Array((flag ? "true" : "false").utf8)
    }

    /// - Parameter raw: A whole JSON value.
    mutating func add(_ key: String, raw: some Collection<UInt8>) {
        self.key(key)
        bytes += raw
    }

    /// A member whose key is JSON too, quotes included.
    mutating func add(rawKey: some Collection<UInt8>, raw: some Collection<UInt8>) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        bytes += rawKey
        bytes.append(UInt8(ascii: ":"))
        bytes += raw
    }

    consuming func finished() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }
}
