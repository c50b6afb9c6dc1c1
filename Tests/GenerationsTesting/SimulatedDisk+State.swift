import Generations
import KernelTesting

extension SimulatedDisk.State {
    /// The node at a path, as programs see it.
    func node(_ path: StorePath) -> Int? {
        path.text.split(separator: "/").reduce(0) { folder, name in folder.flatMap { nodes[$0].entries[String(name)] }
        }
    }

    func key(_ path: StorePath) throws(GenerationsError) -> SimulatedNaming.Key {
        guard let folder = node(path.parent), nodes[folder].isFolder else { throw .notFound(path: path.parent.text) }
        return SimulatedNaming.Key(folder: folder, name: path.name)
    }

    mutating func add(_ node: SimulatedNode, at path: StorePath) throws(GenerationsError) -> Int {
        let key = try key(path)
        let number = nodes.count
        nodes.append(node)
        apply(SimulatedNaming(names: [(key, number)]))
        return number
    }

    mutating func apply(_ naming: SimulatedNaming) {
        for (key, node) in naming.names { nodes[key.folder].entries[key.name] = node }
        namings.append(naming)
    }

    private mutating func keep(_ naming: SimulatedNaming) {
        for (key, node) in naming.names { nodes[key.folder].durableEntries[key.name] = node }
    }

    /// Keeps what changed names in a folder, and what earlier changed the same names elsewhere: a later change never comes before it.
    mutating func synchronizeFolder(_ folder: Int) {
        var kept: Set<Int> = []
        var keys: Set<SimulatedNaming.Key> = []
        for (index, naming) in namings.enumerated().reversed() {
            guard naming.touches(folder) || naming.names.contains(where: { keys.contains($0.key) }) else { continue }
            kept.insert(index)
            keys.formUnion(naming.names.map(\.key))
        }
        for (index, naming) in namings.enumerated() where kept.contains(index) { keep(naming) }
        namings = namings.enumerated().filter { !kept.contains($0.offset) }.map(\.element)
    }

    mutating func synchronizeTree(_ node: Int) {
        guard nodes[node].isFolder else { return nodes[node].synchronize() }
        for child in nodes[node].entries.values.sorted() { synchronizeTree(child) }
        synchronizeFolder(node)
    }

    /// What the next start finds.
    mutating func losePower(_ generator: inout SeededGenerator) {
        // Some runs lose all, some nothing, and most a part.
        let shares = [0, 0.1, 0.5, 0.9, 1]
        let share = shares[Int.random(in: shares.indices, using: &generator)]
        for naming in namings where generator.chance(share) { keep(naming) }
        namings = []
        for number in nodes.indices {
            var node = nodes[number]
            for change in node.changes {
                for part in Self.parts(of: change) where generator.chance(share) {
                    SimulatedNode.apply(Self.torn(part, &generator), to: &node.durableBytes)
                }
            }
            node.changes = []
            node.bytes = node.durableBytes
            node.entries = node.durableEntries
            nodes[number] = node
        }
    }

    private static let sectorBytes = 512

    /// Sectors reach the disk one by one.
    private static func parts(of change: SimulatedNode.Change) -> [SimulatedNode.Change] {
        guard case .write(let offset, let bytes) = change else { return [change] }
        var parts: [SimulatedNode.Change] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, ((offset + start) / sectorBytes + 1) * sectorBytes - offset)
            parts.append(.write(offset: offset + start, bytes: Array(bytes[start..<end])))
            start = end
        }
        return parts
    }

    /// Now and then a sector is written in part, and what follows is anything.
    private static func torn(
        _ change: SimulatedNode.Change,
        _ generator: inout SeededGenerator
    ) -> SimulatedNode.Change {
        guard case .write(let offset, var bytes) = change, generator.chance(1 / 16) else { return change }
        for index in Int.random(in: 0..<bytes.count, using: &generator)..<bytes.count {
            bytes[index] = UInt8.random(in: 0...255, using: &generator)
        }
        return .write(offset: offset, bytes: bytes)
    }
}
