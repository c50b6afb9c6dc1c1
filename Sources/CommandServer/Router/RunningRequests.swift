package import Kernel

/// The requests that run for one asker: how many, and what they take in memory, where each stays parsed as long as it runs. A mebibyte of
/// JSON may be a third of a million numbers, so the length of its text says little.
package struct RunningRequests: Sendable {
    /// The most requests at a time.
    package let countLimit: Int
    /// The most bytes of all together, as `JSONValue.roughByteCount` counts.
    package let byteLimit: Int
    package private(set) var count = 0
    package private(set) var bytes = 0

    package init(countLimit: Int, byteLimit: Int = 32 << 20) {
        self.countLimit = countLimit
        self.byteLimit = byteLimit
    }

    /// Whether a request of so many bytes may run beside the others. Alone each may.
    package func hasRoom(for size: Int) -> Bool {
        count == 0 || count < countLimit && bytes + size <= byteLimit
    }

    package mutating func begin(_ size: Int) {
        count += 1
        bytes += size
    }

    package mutating func end(_ size: Int) {
        count -= 1
        bytes -= size
    }
}

extension JSONValue {
    /// The memory that it takes in bytes, near enough for a bound.
    package var roughByteCount: Int {
        switch self {
        case .null, .bool, .integer, .number: 32
        case .string(let text): 32 + text.utf8.count
        case .array(let values): values.reduce(32) { $0 + $1.roughByteCount }
        case .object(let members): members.reduce(64) { $0 + 32 + $1.key.utf8.count + $1.value.roughByteCount }
        }
    }
}
