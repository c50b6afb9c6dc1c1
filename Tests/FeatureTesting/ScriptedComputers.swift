package import CommandClient
package import Commands
import Kernel
import Synchronization

/// The computers that a test pairs, by their ids. Each is called "Studio".
package final class ScriptedComputers: PairedComputers {
    /// No computer, or no part of that kind, is meant.
    package struct Unknown: Error {}

    package let queue: OfflineCommandQueue
    private let computers: Mutex<[any Peer]>
    private let parts = Mutex<[String: any ComputerPart]>([:])
    private let list: LatestValue<[PairedComputer]>

    /// - Parameter part: The feature's part of every one of them; nil where a test needs none, or hands it to ``keep(_:of:)``.
    package init(
        _ computers: any Peer...,
        part: (any ComputerPart)? = nil,
        queue: OfflineCommandQueue = .inMemory()
    ) {
        self.queue = queue
        self.computers = Mutex(computers)
        list = LatestValue(Self.names(of: computers))
        guard let part else { return }
        for computer in computers { keep(part, of: computer.id) }
    }

    /// Sets the computers that are paired from now on; the others are forgotten.
    package func set(_ computers: [any Peer]) {
        self.computers.withLock { $0 = computers }
        list.set(Self.names(of: computers))
    }

    /// Sets a computer's part of the feature.
    package func keep(_ part: any ComputerPart, of computer: String) { parts.withLock { $0[computer] = part } }

    package func paired() -> AsyncStream<[PairedComputer]> { list.values() }

    package func peer(named name: String?) async throws -> any Peer {
        let found = computers.withLock(\.self).filter { name == nil || $0.id == name }
        guard found.count == 1, let computer = found.first else { throw Unknown() }
        return computer
    }

    package func part<Part: ComputerPart>(_ type: Part.Type, forComputer id: String) async throws -> Part {
        guard let part = parts.withLock({ $0[id] }) as? Part else { throw Unknown() }
        return part
    }

    private static func names(of computers: [any Peer]) -> [PairedComputer] {
        computers.map { PairedComputer(id: $0.id, name: "Studio") }
    }
}
