import Foundation
import Kernel
import KernelTesting
import Pairing
import PairingTesting
import Sealing
import Synchronization
import Testing

@Suite("A network that loses, repeats and delays", .timeLimit(.minutes(4)))
struct FaultScheduleTests {
    /// Loses one frame in three and repeats one in five, by its seed.
    private final class Weather: Sendable {
        private let generator: Mutex<SeededGenerator>

        init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

        func fate(of frame: PairingSwitchboard.Frame) -> [PairingSwitchboard.Frame] {
            switch generator.withLock({ Int.random(in: 0..<15, using: &$0) }) {
            case 0..<5: []
            case 5..<8: [frame, frame]
            default: [frame]
            }
        }
    }

    /// Moves time on, second by second, until all of `tasks` are over.
    private func pass(time clock: ManualClock, until tasks: [Task<Bool, Never>]) async -> [Bool] {
        await withTaskGroup(of: [Bool]?.self) { group in
            group.addTask {
                var values: [Bool] = []
                for task in tasks { values.append(await task.value) }
                return values
            }
            group.addTask {
                while !Task.isCancelled {
                    await clock.sleepers(1)
                    // Turns for everybody, and a moment for what other threads do, or nothing would ever arrive in time. What is checked
                    // holds however long that is.
                    let moment = ContinuousClock.now + .milliseconds(2)
                    var turns = 0
                    while turns < 50 || ContinuousClock.now < moment {
                        await Task.yield()
                        turns += 1
                    }
                    clock.advance(by: .seconds(1))
                }
                return nil
            }
            defer { group.cancelAll() }
            for await values in group { if let values { return values } }
            return []
        }
    }

    private func succeeds(_ work: @escaping @Sendable () async throws -> Void) -> Task<Bool, Never> {
        Task {
            do {
                try await work()
                return true
            } catch {
                return false
            }
        }
    }

    @Test("leaves both sides paired or neither, and each knows what it said", arguments: 0..<3)
    func faults(way: Int) async throws {
        var paired = 0
        for seed in 0..<6 as Range<UInt64> { paired += try await isPaired(way: way, seed: seed) ? 1 : 0 }
        // Enough gets through: the checks are about something.
        #expect(paired > 0)
    }

    @Test(
        "a phone whose answer came in the last moment is paired on both screens, however long its record takes to the disk"
    )
    func lastMoment() async throws {
        let clock = ManualClock()
        let scene = try await PairingScene(phones: LateSaving(.seconds(61), on: clock), clock: clock)
        let code = try await scene.phone.makeCode()
        let scanning = Task { [host = scene.host] in try await host.pair(with: host.read(code.text)) }
        _ = try await scene.phone.desktopScanning(code)
        #expect(try await scanning.value.did == scene.phoneIdentity.did)
        #expect(try await scene.phones.all().map(\.did) == [scene.phoneIdentity.did])
    }

    @Test(
        "a computer that scanned the phone's code in the last moment is paired on both screens, however long its record takes to the disk"
    )
    func lastMomentOfTheCode() async throws {
        let clock = ManualClock()
        let scene = try await PairingScene(desktops: LateSaving(.seconds(2), on: clock), clock: clock)
        let code = try await scene.phone.makeCode()
        clock.advance(by: .seconds(299))
        let scanning = Task { [host = scene.host] in try await host.pair(with: host.read(code.text)) }
        #expect(try await scene.phone.desktopScanning(code).pcPeerID == PairingScene.desktopID)
        #expect(try await scanning.value.did == scene.phoneIdentity.did)
        #expect(try await scene.desktops.all().map(\.pcPeerID) == [PairingScene.desktopID])
    }

    private func isPaired(way: Int, seed: UInt64) async throws -> Bool {
        let scene = try await PairingScene(acceptsEverybody: true)
        let weather = Weather(seed: seed)
        let shown = try await scene.host.makeCode()
        let code = try #require(shown.typed)
        let shownByPhone = way == 2 ? try await scene.phone.makeCode() : nil
        for board in [scene.lan, scene.relay] { board.tamper { weather.fate(of: $0) } }
        var sides = [
            succeeds { [phone = scene.phone] in
                if let shownByPhone {
                    _ = try await phone.desktopScanning(shownByPhone)
                } else if way == 1 {
                    _ = try await phone.pair(typing: code)
                } else {
                    _ = try await phone.pair(with: phone.read(shown.qrText))
                }
            }
        ]
        if let shownByPhone {
            sides.append(succeeds { [host = scene.host] in try await host.pair(with: host.read(shownByPhone.text)) })
        }
        let said = await pass(time: scene.clock, until: sides)
        let phone = try await scene.phones.record(scene.phoneIdentity.did)
        let desktop = try await scene.desktops.record(PairingScene.desktopID)
        #expect(said.first == (desktop != nil))
        // Where the computer has the last word, the phone never holds a pairing that the computer does not.
        if way == 2 { #expect(said.last == (phone != nil)) } else { #expect(desktop == nil || phone != nil) }
        guard let phone, let desktop else {
            // No session will follow: each side gives up by itself what only it holds.
            let emptied = Task { [phones = scene.phones, desktops = scene.desktops] in
                for await list in phones.list() where list.isEmpty { break }
                for await list in desktops.list() where list.isEmpty { break }
                return true
            }
            #expect(await pass(time: scene.clock, until: [emptied]) == [true])
            return false
        }
        #expect(desktop.agreementKey == scene.desktopIdentity.agreementKey)
        #expect(phone.agreementKey == scene.phoneIdentity.agreementKey)
        // The session that the phone opens right afterwards.
        try await scene.host.confirmed(by: scene.phoneIdentity.did)
        try await scene.phone.confirmed(by: PairingScene.desktopID)
        #expect(try await scene.phones.all().map(\.state) == [.confirmed])
        #expect(try await scene.desktops.all().map(\.state) == [.confirmed])
        return true
    }
}
