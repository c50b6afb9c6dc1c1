import Control
import Foundation
import HomeTesting
import Journal
import Kernel
import MigrationClient
import MigrationContainer
import MigrationRestore
import MigrationTransfer
import Sections
import Synchronization
import TandemPhone
import Testing

@Suite("A phone moves to another one in its network", .timeLimit(.minutes(4)))
struct LinkMoveTests {
    private static let password = "correct horse battery"

    private static func receive(_ new: MovingPhone) async throws -> MigrationFlowState {
        _ = try await new.control.call(MigrationControl.receive, .init(host: "127.0.0.1", port: 0))
        return try await new.reaches { $0.pin != nil }
    }

    private static func send(_ old: MovingPhone, to addresses: [String], code: String? = nil) async throws {
        let asked = MigrationControl.Send(addresses: addresses, password: password, code: code)
        _ = try await old.control.call(MigrationControl.send, asked)
    }

    @Test(
        "by PIN, with the old phone's program ended and begun again in between: it goes on without a new PIN, and is retired by the new phone's word"
    )
    func cutAndRestart() async throws {
        try await MoveFolders.with { _, oldState, newState in
            try await Home.run(phones: []) { home in
                let computer = try #require(home.computers.first)
                var new = try await PhoneRun.start("New phone", in: newState, of: home)
                let shown = try await Self.receive(try await new.phone)
                var old = try await PhoneRun.start("Old phone", in: oldState, of: home)
                let paired = try await home.pair(try await old.phone.phone, with: computer)
                try await old.phone.phone.connected(to: paired)
                _ = try await old.phone.write("Rigi")
                let did = try await old.phone.phone.did
                try await Self.send(try await old.phone, to: shown.addresses)
                _ = try await old.phone.reaches { $0.step == .entering }
                let pin = try #require(shown.pin)
                _ = try await old.phone.control.call(MigrationControl.enter, .init(pin: pin))
                // The package is offered, and the new phone's person is asked, when the old phone's program ends.
                _ = try await new.phone.reaches { $0.step == .agreeing }
                await old.end()
                old = try await PhoneRun.start("Old phone", in: oldState, of: home)
                try await Self.send(try await old.phone, to: shown.addresses)

                let asked = try await new.phone.reaches { $0.step == .agreeing && $0.isLinked }
                #expect(asked.peer == "Old phone" && asked.pin == nil && asked.totalBytes > 0)
                #expect(asked.offer?.counts["stories"] == 1 && asked.offer.map { $0.neededBytes > 0 } == true)
                _ = try await new.phone.control.call(MigrationControl.agree, .init(password: "wrong horse battery"))
                let refused = try await new.phone.reaches { $0.step == .agreeing && $0.trouble != nil }
                #expect(refused.trouble?.reason == "wrongPassword")
                _ = try await new.phone.control.call(MigrationControl.agree, .init(password: Self.password))
                let ready = try await new.phone.reaches { $0.step == .ready }
                #expect(ready.report?.counts["stories"] == 1 && ready.isAgreed && ready.offer == nil)
                await new.end()

                new = try await PhoneRun.start("New phone", in: newState, of: home)
                let again = try await new.phone
                #expect(again.phone.did == did)
                let titles = try await again.stories()
                #expect(titles == ["Rigi"])
                let computers = try await again.phone.role.pairedDesktops()
                #expect(computers.count == 1)
                try await old.phone.stands { if case .retired = $0 { true } else { false } }
                let end = try await old.phone.reaches { $0.step == .done }
                #expect(end.failure == nil)
                await new.end()
                await old.end()
            }
        }
    }

    @Test(
        "while the old phone has not heard the end, the new one that is asked to receive again waits for it and takes nothing a second time"
    )
    func endHeardLater() async throws {
        try await MoveFolders.with { _, oldState, newState in
            try await Home.run(computers: [], phones: []) { home in
                var new = try await PhoneRun.start("New phone", in: newState, of: home)
                let shown = try await Self.receive(try await new.phone)
                var old = try await PhoneRun.start("Old phone", in: oldState, of: home)
                _ = try await old.phone.write("Rigi")
                try await Self.send(try await old.phone, to: shown.addresses, code: shown.code)
                _ = try await new.phone.reaches { $0.step == .agreeing }
                _ = try await new.phone.control.call(MigrationControl.agree, .init(password: Self.password))
                _ = try await new.phone.reaches { $0.step == .ready }
                await old.end()
                await new.end()

                new = try await PhoneRun.start("New phone", in: newState, of: home)
                _ = try await new.phone.write("Written since")
                _ = try await new.phone.control.call(MigrationControl.receive, .init())
                old = try await PhoneRun.start("Old phone", in: oldState, of: home)
                try await Self.send(try await old.phone, to: shown.addresses)
                _ = try await new.phone.reaches { $0.step == .done }
                _ = try await old.phone.reaches { $0.step == .done }
                #expect(try await new.phone.stories() == ["Written since", "Rigi"])
                let standing = try await old.phone.phone.role.standing.value
                #expect(standing.rests && standing.handover?.newPhone == "New phone")
                // It has nothing that is current to give.
                try await Self.send(try await old.phone, to: shown.addresses)
                await #expect(throws: PhoneStandingError.self) {
                    _ = try await old.phone.reaches { $0.step == .done }
                }
                await new.end()
                await old.end()
            }
        }
    }

    @Test(
        "a start removes the copies that a kill left of a phone's data, unless a transfer goes on with them"
    )
    func leftovers() async throws {
        try await MoveFolders.with { _, oldState, _ in
            try await Home.run(computers: [], phones: []) { home in
                let rows = oldState.url.appending(path: "features/migrate/outgoing/sections/chat/rows.jsonl")
                try await MovingPhone.run("Old phone", in: oldState, of: home) { _ in }
                try StateFolder.makeClosedFolder(rows.deletingLastPathComponent())
                try Data("[]".utf8).write(to: rows)
                try await MovingPhone.run("Old phone", in: oldState, of: home) { old in
                    // What is begun waits for it.
                    try await Self.send(old, to: ["127.0.0.1:1"])
                    _ = try await old.reaches { $0.trouble != nil }
                    #expect(!FileManager.default.fileExists(atPath: rows.path))
                    try await Self.send(old, to: ["127.0.0.1:1"])
                    await #expect(throws: ContainerError.wrongPassword) {
                        _ = try await old.control.call(
                            MigrationControl.send,
                            .init(addresses: ["127.0.0.1:1"], password: "another sentence")
                        )
                    }
                    _ = try await old.control.call(MigrationControl.cancel)
                }
            }
        }
    }

    @Test(
        "by the code, and cancelled on the new phone: both keep what they had, and the old phone says that it was the other"
    )
    func codeAndCancel() async throws {
        try await MoveFolders.with { _, oldState, newState in
            try await Home.run(computers: [], phones: []) { home in
                try await MovingPhone.run("New phone", in: newState, of: home) { new in
                    _ = try await new.write("My own")
                    let shown = try await Self.receive(new)
                    try await MovingPhone.run("Old phone", in: oldState, of: home) { old in
                        _ = try await old.write("Rigi")
                        // The addresses are in the code.
                        try await Self.send(old, to: [], code: shown.code)
                        _ = try await new.reaches { $0.step == .agreeing }
                        _ = try await new.control.call(MigrationControl.cancel)
                        await #expect(throws: MigrationTransferError.cancelled(byPeer: true)) {
                            _ = try await old.reaches { $0.step == .done }
                        }
                        #expect(try await new.stories() == ["My own"])
                        try await old.stands { if case .kept = $0 { true } else { false } }
                    }
                }
            }
        }
    }

    /// Moves a journal with a medium of 6 MB to a new phone, and looks at what came.
    ///
    /// - Parameter places: Where the old phone dials, given where the new one listens.
    private static func move(_ places: @Sendable ([String]) async throws -> [String]) async throws {
        try await MoveFolders.with { folder, oldState, newState in
            let (photo, copy) = (folder.appending(path: "photo.jpg"), folder.appending(path: "copy.jpg"))
            let bytes = Data((0..<6_000_000).map { UInt8(truncatingIfNeeded: ($0 &* 0x9E37_79B9) >> 9) })
            try bytes.write(to: photo)
            try await Home.run(computers: [], phones: []) { home in
                let old = try await PhoneRun.start("Old phone", in: oldState, of: home)
                let story = try await old.phone.write("Rigi")
                let medium = try await old.phone.control.call(JournalControl.attach, .init(story.id, path: photo.path))
                var new = try await PhoneRun.start("New phone", in: newState, of: home)
                let shown = try await receive(try await new.phone)
                try await send(try await old.phone, to: try await places(shown.addresses))
                _ = try await old.phone.reaches { $0.step == .entering }
                _ = try await old.phone.control.call(MigrationControl.enter, .init(pin: shown.pin))
                _ = try await new.phone.reaches { $0.step == .agreeing }
                _ = try await new.phone.control.call(MigrationControl.agree, .init(password: password))
                _ = try await new.phone.reaches { $0.step == .ready }
                await new.end()
                new = try await PhoneRun.start("New phone", in: newState, of: home)
                _ = try await new.phone.control.call(JournalControl.save, .init(medium.id, path: copy.path))
                #expect(try Data(contentsOf: copy) == bytes)
                try await old.phone.stands { if case .retired = $0 { true } else { false } }
                await new.end()
                await old.end()
            }
        }
    }

    @Test("a way that is cut three times in the middle is taken up again, without another PIN")
    func cutInTheMiddle() async throws {
        let proxies = Held<CuttingProxy>()
        try await Self.move { places in
            let proxy = CuttingProxy(to: try Self.port(of: places), cutting: [1_000_000, 1_500_000, 700_000])
            proxies.set(proxy)
            return ["127.0.0.1:\(try await proxy.open())"]
        }
        let proxy = try #require(proxies.value)
        #expect(proxy.cuts == 3)
        await proxy.close()
    }

    @Test("a network that breaks for good in the middle leaves the hub, over which the move goes on")
    func lanThenHub() async throws {
        let proxies = Held<CuttingProxy>()
        try await Self.move { places in
            let proxy = CuttingProxy(to: try Self.port(of: places), cutting: [2_000_000], staysClosed: true)
            proxies.set(proxy)
            return ["127.0.0.1:\(try await proxy.open())"] + places.filter { $0.contains("#") }
        }
        let proxy = try #require(proxies.value)
        #expect(proxy.cuts >= 1)
        await proxy.close()
    }

    private static func port(of places: [String]) throws -> Int {
        try LinkAddress(#require(places.first)).port
    }

    @Test(
        "the old phone listens, and the new one dials it by its network or by its hub; the new phone's word reaches it the same way",
        arguments: [false, true]
    )
    func oldPhoneListens(byHub: Bool) async throws {
        try await MoveFolders.with { _, oldState, newState in
            try await Home.run(computers: [], phones: []) { home in
                let old = try await PhoneRun.start("Old phone", in: oldState, of: home)
                _ = try await old.phone.write("Rigi")
                _ = try await old.phone.control.call(
                    MigrationControl.send,
                    .init(addresses: [], password: Self.password, host: "127.0.0.1", port: 0)
                )
                let listening = try await old.phone.reaches { $0.step == .entering && !$0.addresses.isEmpty }
                #expect(listening.addresses.count == 2)
                var new = try await PhoneRun.start("New phone", in: newState, of: home)
                let places = listening.addresses.filter { $0.contains("#") == byHub }
                _ = try await new.phone.control.call(MigrationControl.receive, .init(addresses: places))
                let shown = try await new.phone.reaches { $0.pin != nil }
                #expect(shown.addresses.isEmpty && shown.dials && !listening.dials)
                let code = try MigrationCode(#require(shown.code))
                #expect(code.addresses.isEmpty)
                _ = try await old.phone.control.call(MigrationControl.enter, .init(code: shown.code))
                _ = try await new.phone.reaches { $0.step == .agreeing }
                _ = try await new.phone.control.call(MigrationControl.agree, .init(password: Self.password))
                _ = try await new.phone.reaches { $0.step == .ready }
                await new.end()
                new = try await PhoneRun.start("New phone", in: newState, of: home)
                let titles = try await new.phone.stories()
                #expect(titles == ["Rigi"])
                try await old.phone.stands { if case .retired = $0 { true } else { false } }
                await new.end()
                await old.end()
            }
        }
    }

    @Test("what makes no sense is refused before anything begins, and a second move while one is under way")
    func refusals() async throws {
        try await MoveFolders.with { _, _, newState in
            try await Home.run(computers: [], phones: []) { home in
                try await MovingPhone.run("New phone", in: newState, of: home) { new in
                    let control = try await new.control
                    for place in ["nowhere", "wss://hub.example.net", "ws://hub.example.net#7kq2m-x94fd"] {
                        let refused = MigrationTransferError.badAddress(what: place)
                        await #expect(throws: MigrationTransferError.self) { try await Self.send(new, to: [place]) }
                        await #expect(throws: MigrationTransferError.self) {
                            _ = try await control.call(MigrationControl.receive, .init(addresses: [place]))
                        }
                        #expect("\(refused)".contains(place))
                    }
                    await #expect(throws: ContainerError.weakPassword) {
                        _ = try await control.call(
                            MigrationControl.send,
                            .init(addresses: ["127.0.0.1:1"], password: "short")
                        )
                    }
                    await #expect(throws: MigrationTransferError.malformedCode) {
                        try await Self.send(new, to: [], code: "no code")
                    }
                    await #expect(throws: MigrationClientError.nothingUnderWay) {
                        _ = try await control.call(MigrationControl.enter, .init(pin: "123456"))
                    }
                    await #expect(throws: MigrationClientError.nothingToUndo) {
                        _ = try await control.call(MigrationControl.rollback)
                    }
                    let shown = try await Self.receive(new)
                    #expect(try await Self.receive(new).pin == shown.pin, "who asks again sees the same move")
                    await #expect(throws: MigrationClientError.busy) {
                        try await Self.send(new, to: ["127.0.0.1:1"])
                    }
                    _ = try await control.call(MigrationControl.cancel)
                    #expect(try await control.call(MigrationControl.state).step == .failed)
                }
            }
        }
    }
}

/// A value that a closure of a test hands out.
private final class Held<Value: Sendable>: Sendable {
    private let content = Mutex<Value?>(nil)

    var value: Value? { content.withLock(\.self) }
    func set(_ value: Value) { content.withLock { $0 = value } }
}
