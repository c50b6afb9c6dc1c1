import Foundation
import GRDB
import Kernel
import Logging
import Pairing
import Rights
import Sealing
import Storage
import Testing

@Suite("The stores of paired devices", .timeLimit(.minutes(4)))
struct StoreTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)
    private static let silence = Logger(label: "tandem.pairing.tests") { _ in SwiftLogNoOpLogHandler() }

    /// A database of its own, removed afterwards.
    private func withDatabase(_ work: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-pairing-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // what is left is in a temporary folder
        try await work(folder.appending(path: "tandem.sqlite"))
    }

    private static func open(_ url: URL) throws -> DatabasePool {
        try StateDatabase.open(url, schema: schema)
    }

    private static let schema: Schema = [
        SQLitePairingStore<PairedDesktop>.migrations, SQLitePairingStore<PairedPhone>.migrations,
        SQLitePairingGuesses.migrations,
    ]

    private func desktop(_ id: String, seen: TimeInterval = 0, identity: Identity = Identity()) -> PairedDesktop {
        PairedDesktop(
            pcPeerID: id,
            deviceName: "studio-pc",
            platform: .linux,
            lanSignalingURL: URL(string: "ws://192.168.7.20:9001"),
            relayURL: URL(string: "wss://relay.example.net"),
            iceServersJSON: #"[{"urls":["stun:a:1"],"later":1}]"#,
            iceExpirySeconds: 1_790_086_400,
            pairedAt: Self.now,
            lastSeenAt: Self.now.addingTimeInterval(seen),
            did: identity.did,
            agreementKey: identity.agreementKey,
            state: .confirmed
        )
    }

    private func phone(_ identity: Identity = Identity(), state: PairingState = .confirmed) -> PairedPhone {
        PairedPhone(
            did: identity.did,
            deviceID: "b1d6c3a2",
            name: "My iPhone",
            platform: .iOS,
            addresses: [URL(string: "wss://relay.example.net")].compactMap { $0 },
            agreementKey: identity.agreementKey,
            pairedAt: Self.now,
            lastSeenAt: Self.now,
            allowedSkills: ["terminal", "clipboard"],
            state: state
        )
    }

    @Test("wrong codes and their lock are found again by the next process")
    func guesses() async throws {
        try await withDatabase { url in
            let record = GuessRecord(
                failures: [Self.now, Self.now.addingTimeInterval(1)],
                locks: 3,
                lockedUntil: Self.now.addingTimeInterval(240),
                quietSince: Self.now.addingTimeInterval(240)
            )
            let guesses = try SQLitePairingGuesses(Self.open(url))
            #expect(guesses.kept == GuessRecord())
            try await guesses.keep(GuessRecord(locks: 1))
            try await guesses.keep(record)
            #expect(guesses.kept == record)
            #expect(try SQLitePairingGuesses(Self.open(url)).kept == record)
        }
    }

    @Test("what was saved is there after the database was opened again, whole")
    func reopening() async throws {
        try await withDatabase { url in
            let desktop = desktop("9f0c")
            let provisional = phone(state: .provisional(until: Self.now.addingTimeInterval(300)))
            var clear = phone()
            clear.agreementKey = nil
            clear.state = .unconfirmed
            do {
                try await SQLitePairingStore<PairedDesktop>(Self.open(url)).save(desktop)
                let phones = try SQLitePairingStore<PairedPhone>(Self.open(url))
                try await phones.save(provisional)
                try await phones.save(clear)
            }
            #expect(try SQLitePairingStore<PairedDesktop>(Self.open(url)).all() == [desktop])
            let phones = try SQLitePairingStore<PairedPhone>(Self.open(url))
            #expect(phones.record(provisional.did) == provisional)
            #expect(phones.record(clear.did) == clear)
        }
    }

    @Test("a device's new name is taken over, but not in place of the one that the person here gave it")
    func names() async throws {
        try await withDatabase { url in
            var computer = desktop("9f0c")
            // Of a version that did not note it: the name may be the person's own.
            computer.take(OwnName("New"))
            #expect([computer.deviceName, computer.toldName] == ["studio-pc", "New"])
            computer = desktop("9f0c")
            computer.toldName = "studio-pc"
            computer.take(OwnName("New\u{202E}`"))
            #expect([computer.deviceName, computer.toldName] == ["New", "New"])
            computer.deviceName = "Mine"
            computer.take(OwnName("Newer"))
            #expect([computer.deviceName, computer.toldName] == ["Mine", "Newer"])
            // By its own word again, it follows it.
            computer.deviceName = "Newer"
            computer.take(OwnName("Newest"))
            var phone = phone()
            phone.toldName = phone.name
            phone.take(OwnName("Ada's phone"))
            try await SQLitePairingStore<PairedDesktop>(Self.open(url)).save(computer)
            try await SQLitePairingStore<PairedPhone>(Self.open(url)).save(phone)
            #expect(try SQLitePairingStore<PairedDesktop>(Self.open(url)).all() == [computer])
            #expect(try SQLitePairingStore<PairedPhone>(Self.open(url)).all() == [phone])
            #expect(computer.deviceName == "Newest")
            #expect(phone.name == "Adas phone")
        }
    }

    @Test("a message with a name is read back, cleaned and cut; anything else is none")
    func ownName() {
        #expect(OwnName(message: OwnName("studio-pc").message) == OwnName("studio-pc"))
        #expect(OwnName(String(repeating: "x", count: 10_000)).name.count == 128)
        for message: JSONValue in [
            ["type": "tandem:name"], ["type": "tandem:name", "payload": ["name": ""]],
            ["type": "tandem:name", "payload": ["name": 7]], ["type": "tandem:rights", "payload": ["name": "x"]],
        ] {
            #expect(OwnName(message: message) == nil)
        }
    }

    @Test("saving again keeps when it was first paired, and what it may do, for the same key only")
    func upsert() async throws {
        let store = try SQLitePairingStore<PairedPhone>(StateDatabase.inMemory(schema: Self.schema))
        let identity = Identity()
        try await store.save(phone(identity))
        var again = phone(identity, state: .provisional(until: Self.now))
        again.pairedAt = Self.now.addingTimeInterval(1000)
        again.allowedSkills = PairingScene.initialRights
        again.name = "Renamed"
        let merged = try await store.save(again)
        #expect(merged.pairedAt == Self.now)
        #expect(merged.name == "Renamed")
        #expect(merged.allowedSkills == ["terminal", "clipboard", "system.info", .notification])
        #expect(merged.state == .confirmed)
        again.agreementKey = Identity().agreementKey
        let changed = try await store.save(again)
        #expect(changed.pairedAt == Self.now)
        #expect(changed.allowedSkills == PairingScene.initialRights)
        #expect(changed.state == .provisional(until: Self.now))
        #expect(store.all().count == 1)
    }

    @Test(
        "a record of before keeps its rights: file becomes both that there are now, other names stay for other versions"
    )
    func oldRights() async throws {
        try await withDatabase { url in
            let phone = phone()
            let store = try SQLitePairingStore<PairedPhone>(Self.open(url), logger: Self.silence)
            try await store.save(phone)
            let sql = """
                UPDATE pairedPhone SET allowedSkillsJson = '["file","history","screen","system.info"]' WHERE did = ?
                """
            try await DatabasePool(path: url.path).write { try $0.execute(sql: sql, arguments: [phone.did.text]) }
            let reopened = try SQLitePairingStore<PairedPhone>(Self.open(url), logger: Self.silence)
            let rights: Set<Right> = ["file.read", "file.write", "history", "screen", "system.info"]
            #expect(reopened.record(phone.did)?.allowedSkills == rights)
        }
    }

    @Test("phones and computers of before keep all of what notifications were, and those that come later do not get it")
    func formerNotifications() async throws {
        try await withDatabase { url in
            let former: Schema = [
                PairedDesktop.migrations.filter { !$0.identifier.hasSuffix("-4") },
                PairedPhone.migrations.filter { !$0.identifier.hasSuffix("-4") },
            ]
            let rights = [#"["notification","terminal"]"#, #"["terminal"]"#, "[]", #"["notification.act"]"#]
            let identities = rights.map { _ in Identity() }.sorted { $0.did.text < $1.did.text }
            try await StateDatabase.open(url, schema: former).write { database in
                for (identity, list) in zip(identities, rights) {
                    try database.execute(
                        sql: """
                            INSERT INTO pairedPhone (did, deviceId, name, platform, addressesJson, pairedAt, lastSeenAt,
                                allowedSkillsJson, state)
                            VALUES (?, 'p', 'P', 'ios', '[]', 0, 0, ?, 'confirmed')
                            """,
                        arguments: [identity.did.text, list]
                    )
                    try database.execute(
                        sql: """
                            INSERT INTO pairedDesktop (pcPeerId, deviceName, platform, iceExpiry, pairedAt, lastSeenAt,
                                clearRightsJson, state)
                            VALUES (?, 'C', 'linux', 0, 0, 0, ?, 'confirmed')
                            """,
                        arguments: [identity.did.text, list]
                    )
                }
            }
            let expected: [Set<Right>] = [
                [.notification, .notificationAll, "terminal"], ["terminal"], [], ["notification.act"],
            ]
            let phones = try SQLitePairingStore<PairedPhone>(Self.open(url)).all()
            #expect(phones.sorted { $0.did.text < $1.did.text }.map(\.allowedSkills) == expected)
            let desktops = try SQLitePairingStore<PairedDesktop>(Self.open(url)).all()
            #expect(desktops.sorted { $0.pcPeerID < $1.pcPeerID }.map(\.clearRights) == expected)
            var later = phone()
            later.allowedSkills = [.notification]
            try await SQLitePairingStore<PairedPhone>(Self.open(url)).save(later)
            let opened = try SQLitePairingStore<PairedPhone>(Self.open(url)).all()
            #expect(opened.first { $0.did == later.did }?.allowedSkills == [.notification])
        }
    }

    @Test(
        "a damaged row drops itself only",
        arguments: [
            "UPDATE pairedPhone SET allowedSkillsJson = '{' WHERE did = ?",
            "UPDATE pairedPhone SET agreementKey = x'00' WHERE did = ?",
            "UPDATE pairedPhone SET state = 'what' WHERE did = ?",
        ]
    )
    func corruption(sql: String) async throws {
        try await withDatabase { url in
            let (good, bad) = (phone(), phone())
            let store = try SQLitePairingStore<PairedPhone>(Self.open(url), logger: Self.silence)
            try await store.save(good)
            try await store.save(bad)
            try await DatabasePool(path: url.path).write { try $0.execute(sql: sql, arguments: [bad.did.text]) }
            let reopened = try SQLitePairingStore<PairedPhone>(Self.open(url), logger: Self.silence)
            #expect(reopened.all() == [good])
            #expect(reopened.record(bad.did) == nil)
        }
    }

    @Test("readers of the list get it at once, then after each change, last seen first")
    func live() async throws {
        for store: any PairedDesktopsStore in [
            try SQLitePairingStore<PairedDesktop>(StateDatabase.inMemory(schema: Self.schema)),
            InMemoryPairingStore<PairedDesktop>(),
        ] {
            var list = store.list().makeAsyncIterator()
            #expect(await list.next() == [])
            let (older, newer) = (desktop("older"), desktop("newer", seen: 60))
            try await store.save(older)
            #expect(await list.next() == [older])
            try await store.save(newer)
            #expect(await list.next() == [newer, older])
            try await store.update("older") { $0.lastSeenAt = Self.now.addingTimeInterval(120) }
            #expect(await list.next()?.map(\.pcPeerID) == ["older", "newer"])
            try await store.remove("older")
            #expect(await list.next() == [newer])
            try await store.removeAll()
            #expect(await list.next() == [])
            var late = store.list().makeAsyncIterator()
            #expect(await late.next() == [])
        }
    }

    @Test("only what stayed provisional for too long is swept")
    func sweep() async throws {
        let store = InMemoryPairingStore<PairedPhone>()
        let over = phone(state: .provisional(until: Self.now))
        let waiting = phone(state: .provisional(until: Self.now.addingTimeInterval(1)))
        let confirmed = phone()
        for record in [over, waiting, confirmed] { await store.save(record) }
        #expect(try await store.removeOver(at: Self.now) == [over])
        #expect(await Set(store.all()) == [waiting, confirmed])
    }
}
