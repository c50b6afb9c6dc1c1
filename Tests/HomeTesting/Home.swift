package import Foundation
package import Kernel
import Logging
package import Pairing
package import Rights
package import SignalingTesting
import TandemDesktop
import TandemPhone

/// Hubs, computers and phones with their real compositions, over relays and databases in memory, with one clock. Made in milliseconds; each of
/// them can be ended and started again, and finds what it kept.
package final class Home: Sendable {
    private static let hubPort = 9000
    private static let computerPort = 9001

    package let network: InMemoryNetwork
    package let hubs: [HomeHub]
    package let computers: [HomeComputer]
    package let phones: [HomePhone]
    private let calendar: Calendar
    private let surroundings: HomeSurroundings

    private init(_ hubs: [HubPlan], _ computers: [ComputerPlan], _ phones: [PhonePlan], date: Date?) throws {
        var logger = Logger(label: "home")
        logger.logLevel = .critical
        let (network, calendar) = (InMemoryNetwork(), Calendar(date))
        let surroundings = HomeSurroundings(network: network, time: calendar, logger: logger)
        let made = hubs.enumerated().map { HomeHub($1, relayPort: Home.hubPort - $0, in: surroundings) }
        func port(of hub: String) throws -> Int {
            try Home.only(made.filter { $0.plan.name == hub }).relayPort
        }
        self.network = network
        self.calendar = calendar
        self.surroundings = surroundings
        self.hubs = made
        self.computers = try computers.enumerated().map { number, plan in
            try HomeComputer(
                plan,
                port: Home.computerPort + number,
                hubPort: port(of: plan.hub),
                in: surroundings
            )
        }
        self.phones = try phones.map { try HomePhone($0, hubPort: port(of: $0.hub), in: surroundings) }
    }

    /// Makes a home for the length of `body`, with everything running and every computer registered.
    ///
    /// - Parameter date: What time it is when the home is made; nil for the system's.
    package static func run(
        hubs: [HubPlan] = [HubPlan()],
        computers: [ComputerPlan] = [ComputerPlan()],
        phones: [PhonePlan] = [PhonePlan()],
        date: Date? = nil,
        _ body: @Sendable (Home) async throws -> Void
    ) async throws {
        let home = try Home(hubs, computers, phones, date: date)
        let result: Result<Void, any Error>
        do {
            for hub in home.hubs { try await hub.start() }
            for computer in home.computers { try await computer.start() }
            for phone in home.phones { try await phone.start() }
            try await body(home)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        for phone in home.phones { await home.stop(phone) }
        for computer in home.computers { await computer.stop() }
        for hub in home.hubs {
            await hub.stop()
            await hub.removeFolder()
        }
        try result.get()
    }

    // MARK: Members

    /// - Throws: ``HomeError/found(_:)`` unless one hub has that name.
    package func hub(named name: String) throws -> HomeHub { try Self.only(hubs.filter { $0.plan.name == name }) }

    /// - Throws: ``HomeError/found(_:)`` unless one computer has that name.
    package func computer(named name: String) throws -> HomeComputer {
        try Self.only(computers.filter { $0.plan.name == name })
    }

    /// - Throws: ``HomeError/found(_:)`` unless one phone has that name.
    package func phone(named name: String) throws -> HomePhone { try Self.only(phones.filter { $0.plan.name == name }) }

    static func only<Member>(_ members: [Member]) throws(HomeError) -> Member {
        guard members.count == 1 else { throw .found(members.count) }
        return members[0]
    }

    /// Ends a phone's program, and returns when every computer that runs knows that it is away.
    package func stop(_ phone: HomePhone) async {
        await phone.stop()
        for computer in computers {
            while await computer.reaches(phone) { await Task.yield() }
        }
    }

    /// Returns when every computer that runs knows that a phone is away, which ends its sessions by itself.
    package func untilAway(_ phone: HomePhone) async {
        for computer in computers {
            while await computer.reaches(phone) { await Task.yield() }
        }
    }

    /// Runs a phone more on the state of a folder, for the length of `body`: one that took another phone's data.
    package func withPhone<Value: Sendable>(
        _ plan: PhonePlan,
        in folder: StateFolder,
        _ body: @Sendable (HomePhone) async throws -> Value
    ) async throws -> Value {
        let phone = try HomePhone(
            plan,
            hubPort: try hub(named: plan.hub).relayPort,
            in: surroundings,
            folder: folder
        )
        try await phone.start()
        let result: Result<Value, any Error>
        do { result = .success(try await body(phone)) } catch { result = .failure(error) }
        await phone.stop()
        return try result.get()
    }

    /// Moves the dates that all of them write down.
    package func pass(_ time: Duration) { calendar.pass(time) }

    // MARK: Pairing

    /// Pairs by the computer's code, and lets the computer's owner give the phone rights.
    @discardableResult
    package func pair(
        _ phone: HomePhone,
        with computer: HomeComputer,
        allowing rights: Set<Right> = []
    ) async throws -> PairedDesktop {
        let (desktop, role) = (try await computer.role, try await phone.role)
        let shown = try await desktop.pairing.makeCode()
        let paired = try await role.pairing.pair(with: role.pairing.read(shown.qrText))
        if !rights.isEmpty { try await computer.allow(rights, to: phone) }
        return paired
    }

    /// Pairs every phone with each computer of its owner, as ``pair(_:with:allowing:)``, and waits for their sessions.
    package func pairOwners(allowing rights: Set<Right> = []) async throws {
        for phone in phones {
            for computer in computers where computer.plan.owner == phone.plan.owner {
                try await phone.connected(to: pair(phone, with: computer, allowing: rights))
            }
        }
    }
}

/// The things that all members of a home share.
struct HomeSurroundings: Sendable {
    let network: InMemoryNetwork
    let time: Calendar
    let logger: Logger
}

/// Why a home has not what was asked of it.
package enum HomeError: Error, Hashable {
    /// Its program does not run.
    case stopped
    /// How many there are where one was meant.
    case found(Int)
}
