import Commands
import Foundation
import GRDB
import Kernel
import KernelTesting
import Notifications
import Storage

/// A phone's real store over a database in memory, and what a program does with it, which may end between any two steps. What is in the
/// database, in the durable queue and on the screen outlives the program.
actor SimulatedPhone {
    private struct Crash: Error {}

    static let home = "home"
    private static let loss = 0.3
    private static let crashes = 0.01

    private let index: Int
    private let caller: Caller
    private let store: NotificationStore
    private let computer: SimulatedComputer
    private let relay: SimulatedRelay
    private let ledger: ShowingLedger
    private var random: SeededGenerator
    /// An id has one banner.
    private var screen: [String: Int64] = [:]
    private var queue: [(command: UUID, mark: NotificationMark)] = []
    private var isReliable = false
    private(set) var restarts = 0
    /// Messages while everyone was there, and those of them that were lost.
    private(set) var messages = (sent: 0, lost: 0)

    init(
        _ index: Int,
        caller: Caller,
        computer: SimulatedComputer,
        relay: SimulatedRelay,
        ledger: ShowingLedger,
        random: SeededGenerator
    ) throws {
        self.index = index
        self.caller = caller
        self.computer = computer
        self.relay = relay
        self.ledger = ledger
        self.random = random
        store = NotificationStore(try StateDatabase.inMemory(schema: [NotificationStore.migrations]))
    }

    // MARK: What happens

    /// One thing out of all that may happen to a phone.
    func step() async throws {
        try await surviving {
            if !relay.isHere(caller.id), random.chance(0.2) { return try await reach() }
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<50: try await receive()
            case 50..<80: try await sync()
            case 80..<87: try await mark()
            case 87..<97: try await carry()
            default: relay.leave(caller.id)
            }
        }
    }

    /// The first catching up, over a line that loses nothing.
    func meet() async throws {
        isReliable = true
        try await sync()
        isReliable = false
    }

    /// Nothing is lost any more: everything that waits gets through.
    func settle() async throws {
        isReliable = true
        relay.come(caller.id)
        while !queue.isEmpty { try await carry() }
        try await sync()
    }

    private func surviving(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch is Crash {
            try await restart()
        }
    }

    /// The program ends here, at times.
    private func crash() throws {
        if !isReliable, random.chance(Self.crashes) { throw Crash() }
    }

    private func restart() async throws {
        restarts += 1
        relay.leave(caller.id)
        try await surviving {
            // Marks whose commands are not in the queue: the computer says what they came to.
            for command in try await store.marks().subtracting(queue.map(\.command)) {
                _ = try await store.end(command, isDone: false)
                try crash()
            }
            try await show()
            if random.chance(0.8) { try await reach() }
        }
    }

    private func reach() async throws {
        relay.come(caller.id)
        try await sync()
    }

    /// Of a message that is on its way to or from this phone. Where the phone or the computer is away, all are.
    private func isLost() -> Bool {
        guard !isReliable else { return false }
        guard relay.isHere(caller.id) else { return true }
        messages.sent += 1
        let isLost = random.chance(Self.loss)
        if isLost { messages.lost += 1 }
        return isLost
    }

    // MARK: What the computer tells

    private func receive() async throws {
        let next = try await take()
        try await show()
        // One that does not ask now asks when it is told of something else.
        if next == .ask, random.chance(0.7) { try await sync() }
    }

    private func take() async throws -> NotificationApplied.Next {
        var arriving: [NotificationEvent] = []
        var later: [NotificationEvent] = []
        for event in relay.take(caller.id) where !isLost() {
            arriving.append(event)
            if random.chance(0.2) { arriving.append(event) }
            if random.chance(0.1) { later.append(event) }
        }
        // Some overtake others.
        for index in arriving.indices where random.chance(0.2) {
            arriving.swapAt(index, Int.random(in: arriving.indices, using: &random))
        }
        relay.delay(later, for: caller.id)
        guard !arriving.isEmpty else { return .nothing }
        let next = try await store.apply(arriving, from: Self.home).next
        try crash()
        return next
    }

    private func sync() async throws {
        while true {
            let asked = try await store.position(of: Self.home)
            if isLost() { return }
            let query = NotificationSyncQuery(epoch: asked.epoch, after: asked.after, limit: 50)
            let answer = try await computer.sync(query, by: caller)
            if isLost() { return }
            // Events overtake the answer.
            if !isReliable, random.chance(0.2) { _ = try await take() }
            let applied = try await store.apply(answer, asked: asked, from: Self.home)
            try crash()
            if !isReliable, random.chance(0.2) { _ = try await store.apply(answer, asked: asked, from: Self.home) }
            try await show()
            if applied.next == .nothing {
                // The acknowledgement of the last page.
                if try await store.position(of: Self.home) == asked { return }
            }
            if !isReliable, random.chance(0.3) { return }
        }
    }

    // MARK: The person's marks

    private func mark() async throws {
        try await begin()
        try await show()
    }

    private func begin() async throws {
        let items = try await store.page(of: Self.home, limit: 30).items
        guard let item = items.randomElement(using: &random) else { return }
        let mark: NotificationMark
        switch Int.random(in: 0..<60, using: &random) {
        case 0: mark = .allRead(upTo: try await store.position(of: Self.home).after)
        case 1: mark = .cleared(upTo: try await store.position(of: Self.home).after)
        case 2...3: mark = .forgotten(OldNotifications(before: item.notification.createdAt))
        case 4..<20: mark = .deleted([item.notification.id])
        default: mark = .read([item.notification.id])
        }
        let command = UUID()
        let (news, numbered) = try await store.mark(mark, at: Self.home, by: command)
        ledger.excuse(news.removed + news.changed.map(\.notification.id), on: index)
        try crash()
        queue.append((command, numbered))
        try crash()
    }

    /// Carries the first mark to the computer: again where the answer was lost.
    private func carry() async throws {
        guard let first = queue.first, !isLost() else { return }
        try await computer.carry(first.mark, by: caller)
        if isLost() { return }
        queue.removeFirst()
        try crash()
        _ = try await store.end(first.command, isDone: true)
        try crash()
        try await show()
    }

    // MARK: The screen

    /// As ``PhoneNotifications`` does it: what is to go first, then what is to come.
    private func show() async throws {
        while true {
            let withdrawn = try await store.toWithdraw()
            guard !withdrawn.isEmpty else { break }
            for id in withdrawn { screen[id.notification] = nil }
            try crash()
            try await store.noteWithdrawn(withdrawn)
            try crash()
        }
        while true {
            let next = try await store.beginShowing()
            guard !next.isEmpty else { return }
            try crash()
            try await disturb()
            for one in next {
                present(one)
                try crash()
            }
            try await disturb()
            try await store.noteShown(next)
            try crash()
        }
    }

    private func present(_ one: NotificationStore.ToShow) {
        let id = one.kept.notification.id
        guard screen[id] != one.alert else { return ledger.showInPlace() }
        screen[id] = one.alert
        ledger.show(.init(phone: index, id: id, alert: one.alert))
    }

    /// Something comes, or the person marks something, while banners are being shown.
    private func disturb() async throws {
        guard !isReliable else { return }
        switch Int.random(in: 0..<20, using: &random) {
        case 0...1: _ = try await take()
        case 2: try await begin()
        default: break
        }
    }

    // MARK: What has to hold

    /// Where this phone's list, counts or screen are others than the computer's, in words.
    func mistakes() async throws -> [String] {
        let history = try await computer.history(of: caller)
        var kept: [String: RemoteNotification] = [:]
        var place: NotificationPlace?
        repeat {
            let page = try await store.page(of: Self.home, limit: 500, before: place)
            for item in page.items { kept[item.notification.id] = item.notification }
            place = page.hasMore ? page.items.last?.place : nil
        } while place != nil
        var mistakes: [String] = []
        for listed in history.notifications {
            guard let own = kept[listed.id] else {
                mistakes.append("lacks \(listed.id)")
                continue
            }
            if own.isRead != listed.isRead { mistakes.append("reads \(listed.id) otherwise") }
            if own.title != listed.title { mistakes.append("has another text of \(listed.id)") }
        }
        // What left the computer's list counts as read, and may have left this phone.
        let (rows, listed) = (ledger.rows, Set(history.notifications.map(\.id)))
        for own in kept.values where !listed.contains(own.id) {
            guard let row = rows[own.id], !row.isDeleted else {
                mistakes.append("still has \(own.id), which is deleted")
                continue
            }
            if row.isRead, !own.isRead { mistakes.append("reads \(own.id) otherwise") }
            if row.title != own.title { mistakes.append("has another text of \(own.id)") }
        }
        let unread = try await store.unread()[Self.home] ?? 0
        if unread != history.unreadCount { mistakes.append("counts \(unread) unread, not \(history.unreadCount)") }
        for id in screen.keys where rows[id].map({ $0.isRead || $0.isDeleted }) ?? true {
            mistakes.append("still shows \(id), which is read or deleted")
        }
        if !queue.isEmpty { mistakes.append("still has \(queue.count) marks to carry") }
        return mistakes.sorted().map { "phone \(index) \($0)" }
    }
}
