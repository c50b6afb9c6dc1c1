import CommandServer
import Commands
import Foundation
import GRDB
import HomeTesting
import Kernel
import KernelTesting
import Pairing
import Rights
import SavedCommands
import Sealing
import Storage
import Testing
import Transport

@testable import TandemDesktop

/// A home whose computer has every feature over services in memory, which note whatever they are made to do.
struct MethodHome: Sendable {
    /// The phone that the recorded requests come from.
    static let phone = "did:key:z6MkvDqGT54cXesYGvABpF1UapVNwjCqRcafi4Px6Thv5T3Z"
    /// Signs the requests of that phone: it has the Ed25519 seed of 32 bytes 07.
    static let seed = [UInt8](repeating: 7, count: 32)
    /// When the recorded requests were written.
    static let date = Date(millisecondsSince1970: 1_790_000_000_000)

    let home: Home
    let desktop: Desktop
    /// What is served, by name.
    let methods: [String: RemoteMethod]
    private let services: MethodServices

    /// - Parameter date: What time it is there.
    static func run(date: Date = date, _ body: @escaping @Sendable (MethodHome) async throws -> Void) async throws {
        let services = try MethodServices(date: date)
        var plan = Home.Plan(host: Features.all(services))
        plan.date = date
        plan.version = "5.0.3"
        // Floods are tested elsewhere; here each request has to meet the other questions.
        let always = GateLimits.Rate(burst: 1e9, perSecond: 1e9)
        (plan.limits.session, plan.limits.clear, plan.limits.clearPrivileged) = (always, always, always)
        (plan.limits.clearDoor, plan.limits.clearStep, plan.limits.strangers) = (always, always, always)
        try await Home.run(plan) { home in
            let desktop = try await home.desktop
            let served = desktop.features.methods
            let methods = served + RegistryMethods(serving: served).methods + RightQuestions().methods
            await services.notifications.taken()
            try await body(
                MethodHome(
                    home: home,
                    desktop: desktop,
                    methods: Dictionary(methods.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }),
                    services: services
                )
            )
        }
    }

    var log: EffectLog { services.log }
    var clock: ManualClock { services.clock }
    var files: MemoryFiles { services.files }
    /// The rights of the features, and those of every phone.
    var rights: RightsCatalogue { desktop.phones.records.rights }
    /// Every right.
    var everything: Set<Right> { rights.all }

    /// What anything behind the gate was made to do, and what was written down for a command's sake.
    func effects() async throws -> [String] {
        let tables = ["remoteNonce", "remoteAnswer", "fileUpload"]
        let written = try await desktop.state.database.read { database in
            try tables.filter { try Row.fetchOne(database, sql: "SELECT 1 FROM \($0)") != nil }
        }
        return log.effects + written
    }

    /// A phone at this computer's door.
    func phone(_ proof: Caller.Proof, allowed: Set<Right> = []) async throws -> RawPhone {
        let phone = RawPhone(proof, at: desktop, in: home)
        if let record = phone.record {
            try await desktop.phones.records.store.save(record)
            try await allow(allowed, to: phone)
            if allowed.contains(.savedCommands) { try await services.savedCommands.permit(phone.id) }
        }
        try await phone.start()
        return phone
    }

    /// Allows a phone these rights and no others.
    func allow(_ rights: Set<Right>, to phone: RawPhone) async throws {
        try await desktop.phones.records.store.update(DID(phone.id)) { $0.allowedSkills = rights }
        await desktop.phones.applyChanges()
    }

    /// The names that the computer itself says it serves.
    func served() async throws -> [String] {
        let request = CommandRequest(id: UUID().uuidString, method: "registry.list")
        let list = try await answer(request, from: caller(.session)).outcome.get()
        let skills = try #require(list["skills"]?.arrayValue)
        return skills.flatMap { $0["methods"]?.arrayValue ?? [] }.compactMap { $0["name"]?.stringValue }
            + RegistryMethods(serving: []).methods.map(\.name)
    }

    /// The computer's program ends: what was under way is done or given up.
    func stop() async { await home.stopDesktop() }

    /// Past the door, for what is asked too often to come through one.
    func answer(_ request: CommandRequest, from caller: Caller) async -> CommandResponse {
        await desktop.router.answer(request, from: caller)
    }

    /// As the doors make them of records.
    func caller(_ proof: Caller.Proof, id: String = phone, allowed: Set<Right> = []) -> Caller {
        Caller(id: id, name: "Ada's phone", proof: proof, rights: allowed)
    }

    /// Asks at the door for phones in the clear, as the recorded phone.
    func answer(inTheClear request: CommandRequest) async -> CommandResponse {
        await desktop.clearHands.answer(request, Self.phone, .lan)
    }

    /// The newest shell greets, and the terminal has read it.
    func greet(in session: String, for phone: RawPhone) async throws {
        services.terminals.say("ada@studio:~$ ")
        let history = try #require(methods["terminal.history"])
        let params = RemoteParameters(["sessionId": .string(session)])
        while !Task.isCancelled, try await history.run(params, caller(.session, id: phone.id))["chunks"] == [] {
            await Task.yield()
        }
    }
}
