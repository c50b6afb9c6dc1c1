public import Capabilities
public import CommandClient
public import Commands
public import Control
import GRDB
import Kernel
import Logging
import Rights
import Sections

/// A phone's half of locking, sleeping and waking. It keeps the network addresses of its computers, because one that sleeps cannot be asked.
public struct PowerFeature: PeerFeature {
    /// For `PhoneConfiguration.features`.
    public static let maker = PeerFeatureMaker(
        "power",
        rights: [.power, .powerWake],
        migrations: WakeAddressStore.migrations,
        leaving: [
            LeftBehind(
                .table(WakeAddressStore.table),
                because: "A new phone is told the addresses again as soon as it reaches the computers."
            )
        ]
    ) { context in
        PowerFeature(
            store: WakeAddressStore(database: context.database),
            computers: context.computers,
            time: context.time,
            logger: context.logger
        )
    }

    private let store: WakeAddressStore
    private let computers: any PairedComputers
    private let time: any TimeSource
    private let logger: Logger

    init(store: WakeAddressStore, computers: any PairedComputers, time: any TimeSource, logger: Logger) {
        self.store = store
        self.computers = computers
        self.time = time
        self.logger = logger
    }

    public var methods: [MethodDeclaration] { PowerMethods.all }

    public var controlRoutes: [ControlRoute] {
        [
            ControlRoute(PowerControl.known) { _ in try await known() },
            ControlRoute(PowerControl.wakeUp) { try await wake($0) },
        ]
    }

    public func part(for computer: ComputerContext) -> (any ComputerPart)? {
        WakeAddressPart(computer, store: store, time: time, logger: logger)
    }

    /// Forgets the addresses of computers that are not paired any more.
    public func run() async {
        for await paired in computers.paired() {
            do {
                try await store.keep(only: paired.map(\.id))
            } catch {
                logger.error("addresses of forgotten computers stay", metadata: ["reason": "\(error)"])
            }
        }
    }

    private func known() async throws -> WakeableList {
        let paired = await paired()
        let entries = try await store.entries()
        let found = paired.compactMap { computer in
            entries[computer.id].map { entry in
                WakeableList.Computer(
                    id: computer.id,
                    name: computer.name,
                    addresses: entry.interfaces.map(\.address.description),
                    wakeOn: Self.wakeOn(entry.interfaces),
                    at: entry.toldAt
                )
            }
        }
        return WakeableList(computers: found.filter { !$0.addresses.isEmpty }.sorted { $0.name < $1.name })
    }

    /// Whether one of them listens; nil where none says so and one does not say.
    private static func wakeOn(_ interfaces: [PowerStatus.Interface]) -> Bool? {
        if interfaces.contains(where: { $0.isWakeOn == true }) { return true }
        return interfaces.contains { $0.isWakeOn == nil } ? nil : false
    }

    private func wake(_ wish: WakeUp) async throws -> WokenBy {
        let paired = await paired()
        let sleeper = try await computers.peer(named: wish.device)
        let name = paired.first { $0.id == sleeper.id }?.name ?? wish.device
        guard let interfaces = try await store.entries()[sleeper.id]?.interfaces, !interfaces.isEmpty else {
            throw WakeError.unknownAddress(name)
        }
        let helpers: [PairedComputer]
        if let through = wish.through {
            let helper = try await computers.peer(named: through)
            guard helper.id != sleeper.id else { throw WakeError.itself(name) }
            helpers = [PairedComputer(id: helper.id, name: paired.first { $0.id == helper.id }?.name ?? through)]
        } else {
            helpers = paired.filter { $0.id != sleeper.id }
        }
        guard !helpers.isEmpty else { throw WakeError.noOther(name) }
        let addresses = interfaces.prefix(WakeLimits.addresses).map(\.address)
        let senders = await withTaskGroup(of: WokenBy.Sender.self) { group in
            for helper in helpers { group.addTask { await send(addresses, by: helper) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        return WokenBy(senders: senders.sorted { ($0.name, $0.id) < ($1.name, $1.id) })
    }

    private func send(_ addresses: [HardwareAddress], by helper: PairedComputer) async -> WokenBy.Sender {
        do {
            let sent = try await PowerClient(computers.peer(named: helper.id)).wake(addresses)
            return WokenBy.Sender(id: helper.id, name: helper.name, packets: sent.packetCount, reason: nil)
        } catch {
            let isLacking = (error as? RemoteFailure)?.code == FailureCode.notAllowed
            let advice = isLacking ? computers.advice(on: .powerWake, at: helper.id) : nil
            return WokenBy.Sender(id: helper.id, name: helper.name, packets: 0, reason: advice ?? "\(error)")
        }
    }

    /// The computers that are paired now.
    private func paired() async -> [PairedComputer] {
        for await paired in computers.paired() { return paired }
        return []
    }
}

/// Keeps the addresses of one computer, told each time it is reached.
private struct WakeAddressPart: ComputerPart {
    private static let limit = Duration.seconds(20)

    private let computer: ComputerContext
    private let store: WakeAddressStore
    private let time: any TimeSource
    private let logger: Logger
    private let tasks = OwnedTasks()

    init(_ computer: ComputerContext, store: WakeAddressStore, time: any TimeSource, logger: Logger) {
        self.computer = computer
        self.store = store
        self.time = time
        self.logger = logger
    }

    func reached() async { tasks.add { await ask() } }

    func allowed(_ rights: Set<Right>) async {
        if rights.contains(.power) { tasks.add { await ask() } }
    }

    func close() async { await tasks.end() }

    private func ask() async {
        do {
            let wire = try await computer.call(PowerMethods.status.name, [:], Self.limit, true)
            try await store.save(PowerStatus(wire: wire), of: computer.id, at: time.date.millisecondsSince1970)
        } catch is RemoteFailure {
            // Without the right, or from a computer that does not serve it, there is nothing to know.
        } catch {
            logger.debug("addresses of a computer are not known", metadata: ["reason": "\(error)"])
        }
    }
}
