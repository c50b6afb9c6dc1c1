import Capabilities
import CommandClient
import Commands
import Control
import Kernel
import Rights
import Synchronization

/// A phone's half of the doorbell.
struct BellFeature: PeerFeature {
    static let ring = ControlMethod<ComputerChoice, JSONValue>("bell.ring", summary: "Ring a computer's bell.")
    static let maker = PeerFeatureMaker("bell", rights: [.bell]) { BellFeature(computers: $0.computers) }

    let computers: any PairedComputers

    var methods: [MethodDeclaration] { [BellMethods.ring.declaration] }

    func part(for computer: ComputerContext) -> (any ComputerPart)? { BellPart(computer) }

    var controlRoutes: [ControlRoute] {
        [
            ControlRoute(Self.ring) { [computers] choice in
                let peer = try await computers.peer(named: choice.device)
                return try await peer.call(BellMethods.ring, BellMethods.Ring(times: 1)).wire
            }
        ]
    }
}

/// What one computer's bell told.
final class BellPart: ComputerPart {
    struct Missed: Hashable, Sendable {
        let visitor: String
        let number: UInt64?
    }

    private let computer: ComputerContext
    private let missedOnes = LatestValue<[Missed]>([])
    private let framesSeen = LatestValue<[[UInt8]]>([])

    init(_ computer: ComputerContext) { self.computer = computer }

    var frameBytes: Set<UInt8> { [BellFrame.firstByte] }

    func receive(frame: [UInt8]) async { framesSeen.update { $0.append(frame) } }

    func receive(_ event: RemoteEvent, number: UInt64?) async {
        guard event.isOf(.bellMissed), let visitor = event.members["visitor"]?.stringValue else { return }
        missedOnes.update { $0.append(Missed(visitor: visitor, number: number)) }
    }

    func press(_ frame: [UInt8]) async throws { try await computer.sendFrame?(frame) }

    /// Returns once so many visitors were missed.
    func missed(_ count: Int) async -> [Missed] {
        for await missed in missedOnes.values() where missed.count >= count { return missed }
        return []
    }

    var missedNow: [Missed] { missedOnes.value }

    func frames(_ count: Int) async -> [[UInt8]] {
        for await frames in framesSeen.values() where frames.count >= count { return frames }
        return []
    }
}
