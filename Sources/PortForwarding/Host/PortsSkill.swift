package import Capabilities
package import CommandServer
import Commands
package import Control
import Foundation
package import GRDB
package import Kernel
package import Logging
import PortForwarding
package import Rights
import Synchronization

extension Activity.Kind {
    package static let port = Activity.Kind("port", needs: .portsOpen, words: "has a port open", isShown: false)
}

/// Ports of this computer for phones: which the owner lists, and the connections to them. Source: `docs/protocol.md`, "Ports".
package final class PortsSkill: CommandFeature {
    package static let manifest = FeatureManifest(
        "ports",
        rights: [.portsOpen],
        migrations: PortGrants.migrations
    )

    /// The ports of the hub and of the bridge, also while neither runs.
    private static let own: Set<Int> = [9001, 9099]
    private static let look = Duration.seconds(60)

    private let grants: PortGrants
    private let listening: any ListeningPorts
    private let outlet: any DeviceOutlet
    private let time: any TimeSource
    private let logger: Logger
    private let streams = HostStreams()
    private let tasks = OwnedTasks()
    private let changes = Broadcaster<Void>(capacity: 1)
    private let work = BlockingWork("tandem.ports", width: 2, deviceWidth: 1, deviceWaitingLimit: 128)
    /// Who is told of a list that changed, one telling after the other.
    private let telling = Mutex<Task<Void, Never>?>(nil)
    /// Ports on which none of Tandem's programs was found, and until when that counts.
    private let foreign = Mutex<[Int: ContinuousClock.Instant]>([:])

    package init(
        _ database: any DatabaseWriter,
        listening: any ListeningPorts,
        outlet: any DeviceOutlet,
        time: any TimeSource = .system,
        logger: Logger
    ) {
        grants = PortGrants(database)
        self.listening = listening
        self.outlet = outlet
        self.time = time
        self.logger = logger
    }

    /// - Parameter listening: The programs that listen here.
    package static func maker(listening: any ListeningPorts) -> CommandFeatureMaker {
        CommandFeatureMaker(manifest) { context in
            PortsSkill(
                context.database,
                listening: listening,
                outlet: context.outlet,
                time: context.time,
                logger: context.logger
            )
        }
    }

    package func run() async {
        while await time.pause(for: Self.look) {
            let oldest = time.now - PortLimits.idle
            streams.end(.idle) { $1.touchedAt < oldest }
        }
    }

    package func close() async {
        streams.end(.closed) { _, _ in true }
        await tasks.end()
    }

    package var keeper: (any ActivityKeeper)? { self }

    // MARK: For phones

    package var methods: [RemoteMethod] {
        PortMethods.list.served { [self] _, caller in
            let ports = try await grants.ports(of: caller.id)
            // Which of them answer is a help, and no reason to fail.
            let open = try? await work.run { [listening] in Set(try listening.listening().map(\.port)) }
            return PortList(
                ports.map { PortList.Entry(port: $0.port, name: $0.name, isListening: open?.contains($0.port)) }
            )
        }
    }

    package var frames: [FrameRoute] {
        [FrameRoute(firstByte: PortFrame.firstByte) { [weak self] in self?.request($0) }]
    }

    /// A frame as the method whose binary form it is. Nil for what only a computer says, and for what is none.
    private func request(_ bytes: [UInt8]) -> FrameRequest? {
        guard let frame = PortFrame(bytes) else { return nil }
        switch frame.content {
        case .open(let port):
            return FrameRequest(
                PortMethods.connect.declaration,
                cost: 0,
                run: { [weak self] in try await self?.connect(to: port, frame, for: $0) },
                refusal: { PortFrame(frame.stream, offset: 0, .refused(code: $0.code, reason: $0.message)).bytes }
            )
        case .data, .end, .window, .reset:
            return FrameRequest(
                PortMethods.pass.declaration,
                cost: bytes.count,
                run: { [weak self] in self?.pass(frame, from: $0) },
                // A frame that is not taken is missing for ever, so the connection is over.
                refusal: { failure in
                    let isAllowed = failure.code != FailureCode.notAllowed
                    return PortFrame(frame.stream, offset: 0, .reset(isAllowed ? .badFrame : .notAllowed)).bytes
                }
            )
        case .opened, .refused: return nil
        }
    }

    private func pass(_ frame: PortFrame, from caller: Caller) -> FrameAnswer? {
        if let stream = streams[caller.id, frame.stream] {
            stream.take(frame)
            return nil
        }
        guard case .data = frame.content else { return nil }
        return FrameAnswer(PortFrame(frame.stream, offset: 0, .reset(.unknownStream)).bytes, needing: .portsOpen)
    }

    private func connect(to port: Int, _ frame: PortFrame, for caller: Caller) async throws -> FrameAnswer {
        let device = caller.id
        try await checkListed(port, for: device)
        try await checkOwn(port)
        // The phone's program began anew: nobody is at the other end of what it had open before.
        streams.end(.unknownStream) { $0 == device && $1.id.instance != frame.stream.instance }
        try streams.begin(device)
        defer { streams.dialed(device) }
        let connection = try await PortConnection.dial(port: port, within: PortLimits.dialing)
        let stream = PortStream(frame.stream, port: port, time: time)
        stream.open(upTo: frame.offset)
        guard streams.add(stream, of: device) else {
            connection.close(broken: true)
            throw RemoteFailure(code: FailureCode.invalidRequest, message: "There is a connection of this name.")
        }
        // The list may be another one since it was looked at; from here on a change ends it.
        do { try await checkListed(port, for: device) } catch {
            streams.remove(stream, of: device)
            connection.close(broken: true)
            throw error
        }
        let task = tasks.add { [weak self] in await self?.run(stream, connection, device) }
        if task == nil { connection.close(broken: true) }
        return FrameAnswer(
            PortFrame(frame.stream, offset: Int64(PortLimits.window), .opened).bytes,
            needing: .portsOpen
        )
    }

    private func run(_ stream: PortStream, _ connection: PortConnection, _ device: String) async {
        let cut = await stream.run(connection) { [outlet] frame in
            try await outlet.send(frame: frame.bytes, needing: .portsOpen, to: device)
        }
        streams.remove(stream, of: device)
        if let cut, cut.isOwn { tell(cut.reason, of: stream.id, to: device) }
    }

    /// Tells a phone that a connection was cut here. It needs no right: it tells nothing else.
    private func tell(_ reason: PortReset, of stream: PortStreamID, to device: String) {
        tasks.add { [outlet] in
            // A phone that is gone has no connection either.
            try? await outlet.send(
                frame: PortFrame(stream, offset: 0, .reset(reason)).bytes,
                needing: nil,
                to: device
            )
        }
    }

    /// - Throws: ``PortError/notAllowed(port:)``.
    private func checkListed(_ port: Int, for device: String) async throws {
        guard try await grants.ports(of: device).contains(where: { $0.port == port }) else {
            throw PortError.notAllowed(port: port)
        }
    }

    /// Looks who listens, unless it did a moment ago: a page asks for many things at once, each on a connection of its own.
    ///
    /// - Throws: ``PortError/ownPort(_:)``.
    func checkOwn(_ port: Int) async throws {
        let now = time.now
        if let until = foreign.withLock({ $0[port] }), now < until { return }
        let isOwn = try await work.run { [listening] in try listening.isOfTandem(port) }
        guard !isOwn, !Self.own.contains(port) else { throw PortError.ownPort(port) }
        foreign.withLock { foreign in
            if foreign.count >= PortLimits.grants { foreign = [:] }
            foreign[port] = now + PortLimits.lookingLasts
        }
    }

    // MARK: The owner

    package var topics: [ControlTopic] { [ControlTopic("ports") { [changes] in changes.subscribe() }] }

    package var controlRoutes: [ControlRoute] {
        [
            ControlRoute(PortsHostControl.list) { [self] _ in try await list() },
            ControlRoute(PortsHostControl.allow) { [self] in
                try await allow($0)
                return try await list()
            },
            ControlRoute(PortsHostControl.deny) { [self] in
                try await deny($0)
                return try await list()
            },
            ControlRoute(PortsHostControl.found) { [work, listening] _ in
                let found = try await work.run { try listening.listening() }
                return PortsHostControl.Found(
                    ports: found.filter { !$0.isOfTandem && !Self.own.contains($0.port) }
                        .map { PortsHostControl.Found.Port(port: $0.port, program: $0.program) }
                )
            },
        ]
    }

    private func allow(_ allow: PortsHostControl.Allow) async throws {
        guard PortLimits.ports.contains(allow.port) else { throw PortError.noPort(Int64(allow.port)) }
        let name = (allow.name ?? "").trimmingCharacters(in: .whitespaces)
        guard name.utf8.count <= PortLimits.nameBytes, !name.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            throw PortError.longName(limit: PortLimits.nameBytes)
        }
        try await checkOwn(allow.port)
        let phone = try allow.phone.map { try self.phone($0) } ?? ""
        try await grants.add(PortGrants.Grant(port: allow.port, phone: phone, name: name))
        logger.notice("port allowed", metadata: ["port": "\(allow.port)"])
        changed()
    }

    private func deny(_ deny: PortsHostControl.Deny) async throws {
        let phone = deny.everyPhone == true ? "" : try deny.phone.map { try self.phone($0) }
        guard try await grants.remove(deny.port, phone: phone) else { throw PortError.notListed(port: deny.port) }
        logger.notice("port denied", metadata: ["port": "\(deny.port)"])
        try await endWhatIsNotListed()
        changed()
    }

    /// Ends the connections to ports that their phone may not open any more.
    private func endWhatIsNotListed() async throws {
        for device in Set(streams.all.map(\.device)) {
            let ports = Set(try await grants.ports(of: device).map(\.port))
            streams.end(.notAllowed) { $0 == device && !ports.contains($1.port) }
        }
    }

    /// - Parameter name: An id, its beginning, or a name.
    private func phone(_ name: String) throws(PortError) -> String {
        let named = outlet.devices(typed: name, needing: .portsOpen)
        guard named.count <= 1 else {
            throw .severalPhones(TypedDevice.choices(named.map(\.id).sorted(), for: name))
        }
        guard let phone = named.first else { throw .noSuchPhone(String(name.prefix(64))) }
        return phone.id
    }

    private func list() async throws -> PortsHostControl.List {
        let phones = outlet.devices(needing: .portsOpen).sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        let names = Dictionary(phones.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        let open = Dictionary(grouping: streams.all) { OpenKey(device: $0.device, port: $0.stream.port) }
        return PortsHostControl.List(
            ports: try await grants.all().map { grant in
                PortsHostControl.List.Port(
                    port: grant.port,
                    name: grant.name,
                    phone: grant.phone.isEmpty ? nil : grant.phone,
                    phoneName: grant.phone.isEmpty ? nil : names[grant.phone] ?? grant.phone
                )
            },
            phones: phones.map { PortsHostControl.List.Phone(id: $0.id, name: $0.name) },
            open: open.map { key, streams in
                PortsHostControl.List.Open(
                    port: key.port,
                    phone: key.device,
                    phoneName: names[key.device] ?? key.device,
                    connections: streams.count,
                    sent: streams.reduce(0) { $0 + $1.stream.counts.sent },
                    received: streams.reduce(0) { $0 + $1.stream.counts.arrived }
                )
            }.sorted { ($0.port, $0.phone) < ($1.port, $1.phone) }
        )
    }

    private struct OpenKey: Hashable {
        let device: String
        let port: Int
    }

    /// Tells the page, and phones that have the right, that the list is another one.
    private func changed() {
        changes.send(())
        telling.withLock { telling in
            let before = telling
            telling = tasks.add { [self] in
                await before?.value
                for device in outlet.devices(needing: .portsOpen) {
                    // A phone that is away asks for the list when it comes.
                    guard let ports = try? await grants.ports(of: device.id) else { continue }
                    let members: [String: JSONValue] = ["ports": .array(ports.map { .integer(Int64($0.port)) })]
                    try? await outlet.send(.portsChanged, members, to: device.id)
                }
            }
        }
    }
}

extension PortsSkill: ActivityKeeper {
    private static func activity(_ key: OpenKey, count: Int) -> Activity {
        Activity(
            .port,
            "\(key.port):\(key.device)",
            device: key.device,
            detail: count == 1 ? "port \(key.port), 1 connection" : "port \(key.port), \(count) connections"
        )
    }

    package func activities() async -> [Activity] {
        Dictionary(grouping: streams.all) { OpenKey(device: $0.device, port: $0.stream.port) }
            .map { Self.activity($0, count: $1.count) }
    }

    package func end(_ id: Activity.ID) async -> Bool {
        let count = streams.end(.closed) { device, stream in
            Self.activity(OpenKey(device: device, port: stream.port), count: 0).id == id
        }
        return count > 0
    }

    package func revoke(_ rights: Set<Right>, of device: String, keeping kept: Set<Activity.Kind>) async {
        guard rights.contains(.portsOpen) else { return }
        streams.end(.notAllowed) { named, _ in named == device }
        do {
            try await grants.forget(device)
        } catch {
            logger.error("ports of a phone stay listed", metadata: ["reason": "\(error)"])
        }
        changes.send(())
    }
}
