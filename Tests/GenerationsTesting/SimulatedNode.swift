/// A file or folder of a simulated disk, as programs see it and as it would be after a loss of power.
struct SimulatedNode {
    enum Change {
        case write(offset: Int, bytes: [UInt8])
        case truncate(size: Int)
    }

    let isFolder: Bool
    var bytes: [UInt8] = []
    var durableBytes: [UInt8] = []
    /// In order, since the last synchronization.
    var changes: [Change] = []
    var entries: [String: Int] = [:]
    var durableEntries: [String: Int] = [:]

    static func apply(_ change: Change, to bytes: inout [UInt8]) {
        switch change {
        case .write(let offset, let part):
            if bytes.count < offset + part.count {
                bytes += [UInt8](repeating: 0, count: offset + part.count - bytes.count)
            }
            bytes.replaceSubrange(offset..<(offset + part.count), with: part)
        case .truncate(let size):
            if size <= bytes.count {
                bytes.removeLast(bytes.count - size)
            } else {
                bytes += [UInt8](repeating: 0, count: size - bytes.count)
            }
        }
    }

    mutating func change(_ change: Change) {
        Self.apply(change, to: &bytes)
        changes.append(change)
    }

    /// The changes since the last synchronization are on the disk. Changes whose synchronization failed are not among them: the system
    /// counts those as written and never tries again.
    mutating func synchronize() {
        for change in changes { Self.apply(change, to: &durableBytes) }
        changes = []
    }
}

/// A change of names, which is on the disk as a whole or not at all: a rename is one.
struct SimulatedNaming {
    struct Key: Hashable {
        let folder: Int
        let name: String
    }

    /// The node of each name afterwards; nil for none.
    let names: [(key: Key, node: Int?)]

    func touches(_ folder: Int) -> Bool { names.contains { $0.key.folder == folder } }
}
