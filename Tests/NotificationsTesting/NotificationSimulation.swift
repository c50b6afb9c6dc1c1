import Commands
import Kernel
import KernelTesting
import Rights

/// A computer and two phones over a relay that loses, doubles, delays and reorders, all of which end and begin anew at any time, between any
/// two steps. The computer's half and the phones' stores are the real ones; what is drawn at random comes from a seed.
package actor NotificationSimulation {
    /// What a run came to.
    package struct Result: Sendable {
        /// Notifications that were said at the computer.
        package var events = 0
        package var computerRestarts = 0
        package var relayRestarts = 0
        package var phoneRestarts = 0
        /// Requests, answers and events while everyone was there; where someone was away, all were lost.
        package var messages = 0
        /// Of these.
        package var lost = 0
        /// Banners that appeared.
        package var shown = 0
        /// Of these, such as had to appear exactly once.
        package var due = 0
        /// Banners that were shown again in their own places, after a crash before that was noted.
        package var inPlace = 0
        /// What was wrong, in words; empty where everything held.
        package var mistakes: [String] = []
    }

    private let time = ManualClock()
    private let relay: SimulatedRelay
    private let ledger: ShowingLedger
    private let computer: SimulatedComputer
    private let phones: [SimulatedPhone]
    private var random: SeededGenerator

    package init(seed: UInt64) throws {
        let callers = ["A", "B"].map {
            Caller(
                id: "did:key:\($0)",
                name: "Phone \($0)",
                proof: .session,
                rights: [.notification, .notificationAll]
            )
        }
        var random = SeededGenerator(seed: seed)
        relay = SimulatedRelay(callers)
        ledger = ShowingLedger(phones: callers.indices)
        let computer = try SimulatedComputer(
            phones: callers,
            relay: relay,
            ledger: ledger,
            time: time,
            random: SeededGenerator(seed: random.next())
        )
        var phones: [SimulatedPhone] = []
        for (index, caller) in callers.enumerated() {
            phones.append(
                try SimulatedPhone(
                    index,
                    caller: caller,
                    computer: computer,
                    relay: relay,
                    ledger: ledger,
                    random: SeededGenerator(seed: random.next())
                )
            )
        }
        self.computer = computer
        self.phones = phones
        self.random = random
    }

    /// - Parameters:
    ///   - events: Notifications that are said in all.
    ///   - progress: Told after each thousandth part.
    package func run(_ events: Int, progress: (_ said: Int) -> Void = { _ in }) async throws -> Result {
        try await computer.prepare()
        // Both are known from here on, so that a notification for one of them has someone to go to.
        for phone in phones { try await phone.meet() }
        var said = 0
        while said < events {
            time.advance(by: .milliseconds(Int.random(in: 0...100, using: &random)))
            switch Int.random(in: 0..<1000, using: &random) {
            case 0..<500: try await computer.say()
            case 500..<510: try await computer.mark()
            case 510..<513: try await computer.turnQuiet(random.chance(0.12))
            case 513..<520: try await computer.restart()
            case 520..<526: relay.restart()
            default: try await phones[Int.random(in: phones.indices, using: &random)].step()
            }
            let now = await computer.said
            if events >= 1000, now / (events / 1000) != said / (events / 1000) { progress(now) }
            said = now
        }
        for phone in phones { try await phone.settle() }
        // What the later ones carried is news to the earlier ones.
        for phone in phones { try await phone.settle() }
        return try await result()
    }

    private func result() async throws -> Result {
        var result = Result()
        result.events = await computer.said
        result.computerRestarts = await computer.restarts
        result.relayRestarts = relay.restarts
        result.shown = ledger.shownCount
        result.due = ledger.dueCount
        result.inPlace = ledger.inPlaceCount
        result.mistakes = ledger.mistakes
        for phone in phones {
            result.phoneRestarts += await phone.restarts
            let messages = await phone.messages
            result.messages += messages.sent
            result.lost += messages.lost
            result.mistakes += try await phone.mistakes()
        }
        await computer.close()
        return result
    }
}
