import Accounts
import Capabilities
import Control
import Foundation
import GRDB
import Kernel
import KernelTesting
import Logging
import Sealing
import Storage
import Synchronization
import Testing
import Transport

@testable import AccountsHub

@Suite("What an operator does with accounts, and deletion", .timeLimit(.minutes(1)))
struct OperatorTests {
    @Test("people are listed page by page, and shown with their devices")
    func list() async throws {
        let rig = try AccountsRig()
        for name in ["ada", "bob", "cyd"] { _ = try await rig.register(name) }
        let first = try await rig.control.call(AccountsControl.list, .init(limit: 2))
        #expect(first.users.map(\.name) == ["ada", "bob"] && first.total == 3 && first.next == 2)
        let second = try await rig.control.call(AccountsControl.list, .init(limit: 2, after: first.next))
        #expect(second.users.map(\.userID) == ["tb_3"] && second.next == nil)
        for reference in ["ada", "ADA", "tb_1", "1"] {
            let details = try await rig.control.call(AccountsControl.show, .init(reference))
            #expect(details.user.uid == 1 && details.devices.map(\.name) == ["Ada's phone"])
        }
        for wrong in ["eve", "tb_9", "0", "", "tb_01"] {
            await #expect(throws: AccountsError.noSuchAccount(wrong)) {
                try await rig.control.call(AccountsControl.show, .init(wrong))
            }
        }
        await #expect(throws: ControlError.self) { try await rig.control.call(AccountsControl.list, .init(limit: 0)) }
    }

    @Test("a device is known by its key, with its name and whose it is, until it signs out")
    func known() async throws {
        let (rig, phone) = (try AccountsRig(), Identity())
        let session = try await rig.register("ada", by: phone)
        let known = await rig.feature.knownDevices([phone.did, Identity().did])
        #expect(known == [phone.did: KnownDevice(name: "Ada's phone", person: "ada")])
        let asker = try await rig.asker(session)
        try await rig.accounts.sessions.end([asker.session], of: asker.person)
        #expect(await rig.feature.knownDevices([phone.did]).isEmpty)
    }

    @Test("a suspended account does nothing, also after a restart, and its connections end; resumed, its devices go on")
    func suspend() async throws {
        let (rig, phone) = (try AccountsRig(), Identity())
        let session = try await rig.register("ada", by: phone)
        let asker = try await rig.asker(session)
        async let ended: Void = rig.accounts.ended(asker)
        let user = try await rig.control.call(AccountsControl.suspend, .init("ada"))
        #expect(user.suspended && user.devices == 1)
        await ended
        let next = try rig.restarted()
        for rig in [rig, next] {
            #expect(await rig.refusal(of: session.accessToken) == .suspended)
            let refreshed = try await rig.post(.refresh, RefreshRequest(refreshToken: session.refreshToken))
            #expect(refreshed.code == .noPermission)
            let login = try await rig.signed(LoginRequest(device: AccountsRig.phone), by: phone)
            #expect(try await rig.post(.login, login).code == .noPermission)
        }
        #expect(try await next.control.call(AccountsControl.resume, .init("tb_1")).suspended == false)
        #expect(await next.refusal(of: session.accessToken) == nil)
        #expect(await (try next.restarted()).refusal(of: session.accessToken) == nil)
    }

    @Test("an operator signs a person out on all devices")
    func endSessions() async throws {
        let rig = try AccountsRig()
        let (first, other) = (try await rig.register("ada"), try await rig.register("bob"))
        _ = try await rig.login("ada")
        #expect(try await rig.control.call(AccountsControl.endSessions, .init("ada")).count == 2)
        #expect(await rig.refusal(of: first.accessToken) == .sessionOver)
        #expect(await rig.refusal(of: other.accessToken) == nil)
    }

    // MARK: Deletion

    private static let notes = Migration(
        "notes-1",
        sql: "CREATE TABLE note (uid INTEGER NOT NULL REFERENCES account, text TEXT NOT NULL) STRICT"
    )

    @Test("a deleted account leaves no row behind, of other stores either, in one transaction")
    func delete() async throws {
        let told = Mutex<[UserID]>([])
        let removal = AccountRemoval(
            remove: { try $0.execute(sql: "DELETE FROM note WHERE uid = ?", arguments: [$1.number]) },
            afterwards: { person in told.withLock { $0.append(person) } }
        )
        let rig = try AccountsRig(removals: [removal], migrations: [Self.notes])
        let phone = Identity()
        let session = try await rig.register("ada", by: phone)
        try await rig.accounts.database.write { try $0.execute(sql: "INSERT INTO note VALUES (1, 'x')") }
        let asker = try await rig.asker(session)
        async let ended: Void = rig.accounts.ended(asker)
        let wrong = try await rig.post(.delete, DeleteAccountRequest(name: "bob"), token: session.accessToken)
        #expect(wrong.code == .badArguments)
        let right = try await rig.post(.delete, DeleteAccountRequest(name: "Ada"), token: session.accessToken)
        #expect(right.status == 200)
        await ended
        #expect(told.withLock { $0 } == [asker.person])
        for rig in [rig, try rig.restarted()] {
            #expect(await rig.refusal(of: session.accessToken) == .sessionOver)
            #expect(
                try await rig.post(.refresh, RefreshRequest(refreshToken: session.refreshToken)).code == .tokenKicked
            )
            #expect(try await rig.control.call(AccountsControl.list, .init()).total == 0)
        }
        let rows = try await rig.accounts.database.read { database in
            try ["account", "account_key", "account_session", "note"].map { table in
                try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)")
            }
        }
        #expect(rows == [0, 0, 0, 0])
    }

    @Test("a deleted account leaves no byte behind in the files of the database")
    func bytes() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "ad-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: root) }
        let folder = try StateFolder(root)
        let stores = FeatureStores(folder, shared: try StateDatabase.inMemory(schema: []))
        let storage = try stores.storage(of: "accounts", own: AccountTables.migrations)
        let context = FeatureContext(
            storage: storage,
            version: "1",
            time: ManualClock(),
            logger: Logger(label: "test")
        )
        let policy = AccountsPolicy(admission: .anybody, scrypt: AccountsRig.scrypt)
        let accounts = try Accounts(context, policy: policy)
        let device = DeviceDescription(name: "Zanzibar phone", platformID: .android)
        let request = RegisterRequest(name: "zanzibar", password: AccountsRig.password, device: device)
        let from = RouteRequest(method: "POST", target: "/", host: "hub.example", clientAddress: "192.0.2.1")
        let session = try await accounts.register(request, AccountCall(JSONValue(encoding: request), of: from))
        func found() throws -> [String] {
            try ["accounts.sqlite", "accounts.sqlite-wal"].filter { name in
                let file = try storage.folder().appending(path: name)
                let text = String(decoding: try Data(contentsOf: file), as: UTF8.self).lowercased()
                return text.contains("zanzibar")
            }
        }
        #expect(try found() != [])
        let asker = try await accounts.asker(showing: session.accessToken).get()
        try await accounts.delete(DeleteAccountRequest(name: "zanzibar"), by: asker)
        #expect(try found() == [])
    }

    @Test("of two sessions that a key begins at once, one is left")
    func race() async throws {
        let (rig, phone) = (try AccountsRig(), Identity())
        _ = try await rig.register("ada", by: phone)
        let first = try await rig.signed(LoginRequest(device: AccountsRig.phone), by: phone)
        let second = try await rig.signed(LoginRequest(device: AccountsRig.phone), by: phone)
        async let one: AccountSession = rig.post(.login, first).value()
        async let other: AccountSession = rig.post(.login, second).value()
        let tokens = try await [one, other].map(\.accessToken)
        var refusals: [AccountsError?] = []
        for token in tokens { refusals.append(await rig.refusal(of: token)) }
        #expect(refusals.count(where: { $0 == nil }) == 1)
        #expect(rig.accounts.sessions.count == 1)
    }

    @Test("an account whose deletion fails is whole, and its sessions open again")
    func failedDeletion() async throws {
        struct Refused: Error {}
        let rig = try AccountsRig(removals: [AccountRemoval(remove: { _, _ in throw Refused() })])
        let session = try await rig.register("ada")
        let reply = try await rig.post(.delete, DeleteAccountRequest(name: "ada"), token: session.accessToken)
        #expect(reply.status == 500 && reply.code == .internalError)
        #expect(await rig.refusal(of: session.accessToken) == nil)
        #expect(try await rig.login("ada").status == 200)
    }

    @Test("for 30 days nobody gets the name of a deleted account, which stands nowhere in the database")
    func formerName() async throws {
        let rig = try AccountsRig()
        _ = try await rig.register("ada")
        await #expect(throws: AccountsError.otherName) {
            try await rig.control.call(AccountsControl.delete, .init("tb_1"))
        }
        _ = try await rig.control.call(AccountsControl.delete, .init("ada"))
        let request = RegisterRequest(name: "ada", password: AccountsRig.password, device: AccountsRig.phone)
        #expect(try await rig.post(.register, request).code == .registeredAlready)
        rig.clock.advance(by: .seconds(30 * 86_400 - 1))
        #expect(try await rig.post(.register, request).code == .registeredAlready)
        rig.clock.advance(by: .seconds(1))
        #expect(try await rig.register("ada").uid == 2)
        try await rig.accounts.sweep()
        let names = try await rig.accounts.database.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM account_former_name")
        }
        #expect(names == 0)
    }

    // MARK: The feature

    @Test(
        "the setting says who may make an account, and a wrong word keeps the hub from starting",
        arguments: [
            (nil, Admission.invitation), ("nobody", .nobody), ("invitation", .invitation), ("anybody", .anybody),
        ]
    )
    func setting(text: String?, admission: Admission) throws {
        #expect(try AccountsPolicy(Self.context(text)).admission == admission)
        #expect(throws: AccountsError.badSetting("all")) { try AccountsPolicy(Self.context("all")) }
    }

    private static func context(_ text: String?) throws -> FeatureContext {
        let stores = FeatureStores(nil, shared: try StateDatabase.inMemory(schema: []))
        return FeatureContext(
            storage: try stores.storage(of: "accounts", own: AccountTables.migrations),
            settings: text.map { ["accounts": .string($0)] } ?? [:],
            version: "1",
            time: ManualClock(),
            logger: Logger(label: "test")
        )
    }

    @Test("the doctor says how many people there are and who may come")
    func doctor() async throws {
        let rig = try AccountsRig()
        _ = try await rig.register("ada")
        let checks = await rig.feature.checks()
        #expect(checks.map(\.detail) == ["1 people, anybody may make one"] && checks.allSatisfy(\.works))
    }

    @Test("a row that something damaged is no person, and keeps nobody else out")
    func damaged() async throws {
        let rig = try AccountsRig()
        let ada = try await rig.register("ada")
        _ = try await rig.register("bob")
        try await rig.accounts.database.write { try $0.execute(sql: "UPDATE account SET name = 'B o b' WHERE uid = 2") }
        let next = try rig.restarted()
        #expect(try await next.control.call(AccountsControl.list, .init()).users.map(\.name) == ["ada"])
        #expect(await next.refusal(of: ada.accessToken) == nil)
    }
}
