import Accounts
import Chat
import Foundation
import Kernel
import KernelTesting
import Testing

@testable import ChatClient
@testable import ChatHub

/// Two people, one with two devices, at a real hub over networks that lose, double and reorder what is pushed and lose what is asked; one device is
/// killed at random moments. Each history is played again by its seed.
@Suite("Two devices of a person agree with the hub", .timeLimit(.minutes(10)))
struct ConvergenceTests {
    private enum Place: CaseIterable {
        case first, second, other
    }

    /// A history that is played, and what is promised of it so far.
    private final class Play {
        let scene: Scene
        var random: SeededGenerator
        /// Of Ada.
        var first: HubDevice
        let second: HubDevice
        /// Bob's.
        let other: HubDevice
        /// Words by the id under which a device took them, which is the promise to send them.
        var taken: [UserID: [String: String]] = [:]
        var thrown: Set<String> = []
        var count = 0

        init(_ seed: UInt64) async throws {
            scene = try Scene()
            random = SeededGenerator(seed: seed)
            let folder = try TemporaryFolder()
            first = try await HubDevice(scene.hub, scene.ada, "first", in: folder, seed: seed, faults: .bad)
            second = try await HubDevice(scene.hub, scene.ada, "second", seed: seed &+ 1, faults: .bad)
            other = try await HubDevice(scene.hub, scene.bob, "other", seed: seed &+ 2, faults: .bad)
        }

        func device(_ place: Place) -> HubDevice {
            switch place {
            case .first: first
            case .second: second
            case .other: other
            }
        }

        func step(_ seed: UInt64) async throws {
            let place = Place.allCases.randomElement(using: &random) ?? .first
            let device = device(place)
            let person = device.server.person
            let id = scene.chat
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<9:
                count += 1
                let (client, words) = ("m\(count)", "words \(count)")
                _ = try await device.repository.send(words, in: id, id: client)
                taken[person, default: [:]][client] = words
            case 9..<11:
                guard let target = taken[person]?.keys.sorted().randomElement(using: &random) else { return }
                let entry = try? await device.repository.recall(target, in: id)
                if entry?.seq == nil, entry != nil { thrown.insert(target) }
            case 11..<14: try await device.repository.read(id)
            case 14: _ = try? await device.repository.pin(id, Bool.random(using: &random))
            case 15: if random.chance(0.3) { _ = try? await device.repository.clear(id) }
            case 16:
                let shown = try await device.repository.history(of: id, limit: 5).messages
                if let target = shown.randomElement(using: &random), target.seq != nil {
                    try? await device.repository.remove(target.id, in: id)
                }
            case 17: try await device.repository.draft(id, random.chance(0.5) ? "draft \(count)" : "")
            case 18: device.server.cut()
            default: if random.chance(0.5) { try await restart(seed) }
            }
            if random.chance(0.3) { for _ in 0..<Int.random(in: 0..<60, using: &random) { await Task.yield() } }
        }

        /// Kills the first device, and starts it over what is left.
        private func restart(_ seed: UInt64) async throws {
            let folder = try await first.killed()
            count += 1
            first = try await HubDevice(
                scene.hub,
                scene.ada,
                "first",
                in: folder,
                seed: seed &+ UInt64(count),
                faults: .bad
            )
        }

        /// Mends everything, and sends again what failed.
        func settle() async throws {
            for device in [first, second, other] { device.server.setFaults(.none) }
            for device in [first, second, other] { try await device.heal() }
            for device in [first, second, other] {
                for entry in try await device.history(scene.chat) where entry.status == .failed {
                    _ = try await device.repository.resend(entry.id, in: scene.chat)
                }
                try await device.settle()
            }
            // What the last of them did is known to the others, too.
            for _ in 0..<2 { for device in [first, second, other] { try await device.heal() } }
        }

        func end() async {
            for device in [first, second, other] { await device.end() }
        }
    }

    @Test(
        "I4, I5, I6, I7, Q7: whatever is lost, nothing acknowledged is, and nothing is there twice",
        arguments: 0..<100
    )
    func converges(seed: UInt64) async throws {
        let play = try await Play(seed)
        for _ in 0..<40 { try await play.step(seed) }
        try await play.settle()
        let (hub, id) = (play.scene.hub, play.scene.chat)
        let devices = [(play.first, play.scene.ada), (play.second, play.scene.ada), (play.other, play.scene.bob)]
        for (device, person) in devices {
            guard try await hub.newest(id, for: person) > 0 else { continue }
            let truth = try await hub.truth(id, for: person).filter { $0.state != .deleted && $0.kind.isCountable }
            let shown = try await device.history(id)
            #expect(shown.map(\.seq) == truth.map(\.seq), "\(device.server.device)")
            #expect(shown.map(\.id) == truth.map(\.clientMessageID))
            #expect(shown.map { $0.kind == .recalled } == truth.map(\.isRecalled))
            let summary = try await hub.summary(id, for: person)
            let entry = try await device.entry(id)
            #expect(entry.unread == summary.unread, "\(device.server.device)")
            #expect(entry.isPinned == summary.settings.isPinned)
            #expect(entry.draft == summary.settings.draft)
            #expect(entry.newest == summary.seqs.maxSeq)
            #expect(entry.read == summary.seqs.readSeq)
            #expect(entry.readByPeer == summary.peerReadSeq)
        }
        try await check(play, hub)
        await play.end()
    }

    /// What a device took is at the hub once, unless it was thrown away before it was sent: a repeat finds it there.
    private func check(_ play: Play, _ hub: MemoryHub) async throws {
        let before = try await hub.newest(play.scene.chat, for: play.scene.ada)
        for (person, messages) in play.taken {
            for (client, words) in messages where !play.thrown.contains(client) {
                try await hub.sends(person, words, in: play.scene.chat, as: client)
            }
        }
        let after = try await hub.newest(play.scene.chat, for: play.scene.ada)
        #expect(after == before, "something that a device took is lost")
    }
}
