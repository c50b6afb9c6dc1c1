public import Capabilities
public import CommandClient
public import Commands
public import Control
import Foundation
package import Kernel
import Rights
import Transport

/// Ports of paired computers: which may be opened, and what leads to them from this machine.
public struct PortsFeature: PeerFeature {
    /// The maker that a composition lists to have this feature. It keeps nothing on disk.
    public static let maker = PeerFeatureMaker("ports", rights: [.portsOpen]) { context in
        PortsFeature(computers: context.computers, time: context.time)
    }

    private let computers: any PairedComputers
    private let time: any TimeSource
    private let changes = Broadcaster<Void>(capacity: 1)

    package init(computers: any PairedComputers, time: any TimeSource = .system) {
        self.computers = computers
        self.time = time
    }

    /// All methods of ports.
    public var methods: [MethodDeclaration] { PortMethods.all }

    /// A ``PortForwarder`` for the computer.
    public func part(for computer: ComputerContext) -> (any ComputerPart)? {
        PortForwarder(computer, time: time, changes: changes)
    }

    public var topics: [ControlTopic] { [ControlTopic("ports") { [changes] in changes.subscribe() }] }

    /// `ports.remote`, `ports.enter`, `ports.close` and `ports.forward` of the control socket.
    public var controlRoutes: [ControlRoute] {
        [
            ControlRoute(PortsControl.remote) { [computers] choice in
                let (peer, part) = try await Self.computer(computers, choice.device)
                let list = try await peer.call(PortMethods.list, NoParameters())
                return PortsControl.Remote(
                    computer: peer.id,
                    ports: list.ports.map {
                        PortsControl.Remote.Port(port: $0.port, name: $0.name, listening: $0.isListening)
                    },
                    open: part.open.map {
                        PortsControl.Remote.Open(
                            port: $0.remote,
                            local: $0.local,
                            origin: $0.origin,
                            connections: $0.connections,
                            received: $0.counts.arrived,
                            sent: $0.counts.sent
                        )
                    }
                )
            }.needing(.portsOpen),
            ControlRoute(PortsControl.enter) { [computers] enter in
                guard let port = enter.port else {
                    await Self.closeAll(computers)
                    return PortsControl.Entered(url: nil)
                }
                let part = try await Self.allowing(port, computers, enter.device)
                return PortsControl.Entered(url: try await part.enter(port))
            }.needing(.portsOpen),
            ControlRoute(PortsControl.close) { [computers] choice in
                let (_, part) = try await Self.computer(computers, choice.device)
                return PortsControl.Closed(count: await part.close(choice.port))
            },
            ControlRoute(PortsControl.forward) { [computers] forward, report in
                let part = try await Self.allowing(forward.port, computers, forward.device)
                let reason = try await part.forward(forward.port, from: forward.listen ?? 0) { local in
                    try await report(PortsControl.Listening(host: "127.0.0.1", port: local))
                }
                return PortsControl.Ended(reason: "\(reason ?? .ended(.closed))")
            }.needing(.portsOpen),
        ]
    }

    private static func computer(_ computers: any PairedComputers, _ name: String?) async throws -> (
        any Peer, PortForwarder
    ) {
        let peer = try await computers.peer(named: name)
        return (peer, try await computers.part(PortForwarder.self, forComputer: peer.id))
    }

    /// Asks the computer first, so that nothing listens here for a port that would not open.
    private static func allowing(_ port: Int, _ computers: any PairedComputers, _ name: String?) async throws
        -> PortForwarder
    {
        guard PortLimits.ports.contains(port) else { throw PortError.noPort(Int64(port)) }
        let (peer, part) = try await computer(computers, name)
        guard try await peer.call(PortMethods.list, NoParameters()).ports.contains(where: { $0.port == port }) else {
            throw PortError.notAllowed(port: port)
        }
        return part
    }

    private static func closeAll(_ computers: any PairedComputers) async {
        for await paired in computers.paired() {
            for computer in paired {
                // One without a part has no port open.
                await (try? computers.part(PortForwarder.self, forComputer: computer.id))?.close(nil)
            }
            break
        }
    }
}
