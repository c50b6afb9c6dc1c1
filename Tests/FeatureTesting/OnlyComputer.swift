package import CommandClient
package import Commands

/// The one computer that is paired, under its id.
package struct OnlyComputer: PairedComputers {
    package struct Unknown: Error {}

    private let computer: any Peer
    private let computerPart: (any ComputerPart)?
    package let queue: OfflineCommandQueue

    package init(_ computer: any Peer, part: (any ComputerPart)? = nil, queue: OfflineCommandQueue = .inMemory()) {
        self.computer = computer
        self.queue = queue
        computerPart = part
    }

    package func paired() -> AsyncStream<[PairedComputer]> {
        let (lists, continuation) = AsyncStream.makeStream(
            of: [PairedComputer].self,
            bufferingPolicy: .bufferingNewest(1)
        )
        continuation.yield([PairedComputer(id: computer.id, name: "Studio")])
        return lists
    }

    package func peer(named name: String?) async throws -> any Peer {
        guard name == nil || name == computer.id else { throw Unknown() }
        return computer
    }

    package func part<Part: ComputerPart>(_ type: Part.Type, forComputer id: String) async throws -> Part {
        guard id == computer.id, let part = computerPart as? Part else { throw Unknown() }
        return part
    }
}
