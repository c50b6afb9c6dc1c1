import Foundation
import Kernel
import KernelTesting
import Pairing
import PairingTesting
import Sealing
import Synchronization
import Testing

@Suite("A network that loses, repeats and delays")
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

    /// Moves time on until `task` is over.
    private func pass(time clock: ManualClock, until task: Task<Bool, Never>) async -> Bool {
        let isOver = Mutex(false)
        let watcher = Task {
            let value = await task.value
            isOver.withLock { $0 = true }
            return value
        }
        while !isOver.withLock({ $0 }) {
            // Several turns for everybody, so that what was sent is received before time goes on.
            for _ in 0..<200 { await Task.yield() }
            clock.advance(by: .seconds(5))
        }
        return await watcher.value
    }

    @Test("leaves both sides paired or neither, once a session was tried", arguments: 0..<12 as Range<UInt64>)
    func faults(seed: UInt64) async throws {
        let scene = try await PairingScene(acceptsEverybody: true)
        let weather = Weather(seed: seed)
        let shown = try await scene.host.makeCode()
        while !scene.relay.isRegistered(shown.qr.code.alias) { await Task.yield() }
        for board in [scene.lan, scene.relay] { board.tamper { weather.fate(of: $0) } }
        let code = try #require(shown.typed)
        let way = seed % 3
        let shownByPhone = way == 2 ? try await scene.phone.makeCode() : nil
        let onPhone = Task {
            do {
                if let shownByPhone {
                    _ = try await scene.phone.desktopScanning(shownByPhone)
                } else if way == 1 {
                    _ = try await scene.phone.pair(typing: code)
                } else {
                    _ = try await scene.phone.pair(with: try scene.phone.read(shown.qrText))
                }
                return true
            } catch {
                return false
            }
        }
        if let shownByPhone {
            let onDesktop = Task {
                do {
                    try await scene.host.pair(with: scene.host.read(shownByPhone.text))
                    return true
                } catch {
                    return false
                }
            }
            _ = await pass(time: scene.clock, until: onDesktop)
        }
        let said = await pass(time: scene.clock, until: onPhone)
        let phone = try await scene.phones.record(scene.phoneIdentity.did)
        let desktop = try await scene.desktops.record(PairingScene.desktopID)
        #expect(said == (desktop != nil) || way == 2)
        // What a session does: both hold the pairing, or the phone is told that the computer does not.
        if phone != nil, desktop != nil {
            try await scene.host.confirmed(by: scene.phoneIdentity.did)
            try await scene.phone.confirmed(by: PairingScene.desktopID)
        } else if desktop != nil {
            try await scene.phone.forgotten(by: PairingScene.desktopID)
        }
        let later = scene.clock.date.addingTimeInterval(301)
        try await scene.phones.removeOver(at: later)
        try await scene.desktops.removeOver(at: later)
        let isDesktopPaired = try await !scene.phones.all().isEmpty
        let isPhonePaired = try await !scene.desktops.all().isEmpty
        #expect(isDesktopPaired == isPhonePaired)
        if isPhonePaired {
            #expect(try await scene.desktops.all().first?.agreementKey == scene.desktopIdentity.agreementKey)
            #expect(try await scene.phones.all().first?.agreementKey == scene.phoneIdentity.agreementKey)
        }
    }
}
