import Commands
import Foundation
import GRDB
import Notifications
import NotificationsHost

/// What it costs to keep a notification in a history of 100,000: one at a time, and from many senders at once.
struct Writes {
    private static let senders = 250
    /// A sender may say so many at once.
    private static let burst = 20

    let plain: PlainHistory

    func run(_ database: DatabasePool) async throws {
        try await oneByOne(database)
        try await atOnce(database)
    }

    private func oneByOne(_ database: DatabasePool) async throws {
        let computer = try DirectPhone.computer(database)
        var (ours, same) = (Times(), Times())
        for sender in 0..<50 {
            for number in 0..<Self.burst {
                try await ours.measure { try await Self.say(computer, sender, number) }
                try await same.measure { try await plain.write("Message \(number)", "from person \(sender)") }
            }
        }
        await computer.close()
        print(
            String(
                format:
                    "one send, until it is on the disk    p50 %8.3f  p99 %8.3f; a plain table p50 %.3f  p99 %.3f; ratio %.2f",
                ours.half,
                ours.most,
                same.half,
                same.most,
                ours.half / same.half
            )
        )
    }

    private func atOnce(_ database: DatabasePool) async throws {
        let computer = try DirectPhone.computer(database)
        let clock = ContinuousClock()
        let count = Self.senders * Self.burst
        let before = try await Self.newest(database)
        let start = clock.now
        try await Self.fill(computer)
        let ours = Double(count) / ((clock.now - start) / .seconds(1))
        let kept = try await Self.newest(database) - before
        await computer.close()
        let begun = clock.now
        try await plain.write(count, by: Self.senders)
        let same = Double(count) / ((clock.now - begun) / .seconds(1))
        print(
            String(
                format: "writes by %d senders: %.0f a second (%d rows); a plain table in groups: %.0f; ratio %.2f",
                Self.senders,
                ours,
                kept,
                same,
                ours / same
            )
        )
    }

    /// Every sender says as much as it may at once.
    static func fill(_ computer: NotificationsSkill) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for sender in 0..<senders {
                group.addTask { for number in 0..<burst { try await say(computer, sender, number) } }
            }
            try await group.waitForAll()
        }
    }

    private static func newest(_ database: DatabasePool) async throws -> Int {
        try await database.read { try Int.fetchOne($0, sql: "SELECT sequence FROM notification_state") ?? 0 }
    }

    private static func say(_ computer: NotificationsSkill, _ sender: Int, _ number: Int) async throws {
        _ = try await DirectPhone(computer, "sender \(sender)").call(
            NotificationMethods.send,
            NewNotification(title: "Message \(number)", body: "from person \(sender) about topic \(number)")
        )
    }
}

/// Times of one thing, in milliseconds.
struct Times {
    private var sorted: [Double] = []

    mutating func measure(_ body: () async throws -> Void) async throws {
        let start = ContinuousClock.now
        try await body()
        let time = (ContinuousClock.now - start) / .milliseconds(1)
        sorted.insert(time, at: sorted.firstIndex { $0 > time } ?? sorted.endIndex)
    }

    var half: Double { sorted[sorted.count / 2] }
    var most: Double { sorted[(sorted.count - 1) * 99 / 100] }
}
