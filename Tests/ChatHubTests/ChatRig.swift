import Accounts
import Chat
import ChatHub
import Foundation
import GRDB
import Kernel
import KernelTesting
import Logging
import Storage
import Synchronization
import Testing

/// A service over a log in memory, on a clock that the test moves. Everybody from 1 to 99 has an account.
final class ChatRig: Sendable {
    let service: ChatService
    let clock: ManualClock
    let database: any DatabaseWriter
    let notices: Recorded<OfflineNotice>
    let released: Recorded<String>

    init(_ settings: ChatHubSettings = .open, database: (any DatabaseWriter)? = nil) throws {
        let (clock, notices, released) = (ManualClock(), Recorded<OfflineNotice>(), Recorded<String>())
        let database = try database ?? StateDatabase.inMemory(schema: StoreUnderTest.schema)
        (self.clock, self.notices, self.released, self.database) = (clock, notices, released, database)
        service = try ChatService(
            database,
            objects: TestObjects(),
            settings: settings,
            dependencies: ChatService.Dependencies(
                isAccount: { $0.number < 100 },
                notify: { notices.add($0) },
                release: { for key in $0 { released.add(key) } },
                time: clock,
                logger: Logger(label: "chat-test", factory: { _ in SwiftLogNoOpLogHandler() })
            )
        )
    }

    @discardableResult
    func say(
        _ words: String,
        id: String = UUID().uuidString,
        from sender: Int64,
        to receiver: Int64,
        device: String = "phone"
    ) async throws -> MessageAck {
        try await service.send(
            MessageFacts(.text, pushText: words),
            contentType: 101,
            content: Array(words.utf8),
            clientMessageID: id,
            to: chat(sender, receiver),
            by: asker(sender, device)
        )
    }

    /// A connection whose deliveries are kept.
    func connect(_ number: Int64, _ device: String = "phone") throws -> (UInt64, Recorded<ChatDelivery>) {
        let received = Recorded<ChatDelivery>()
        let id = try service.connections.connect(asker(number, device)) { items in
            for item in items { received.add(item) }
            return true
        }
        return (id, received)
    }
}

extension ChatHubSettings {
    /// Nobody is a stranger, and nobody too fast.
    static var open: ChatHubSettings {
        var settings = ChatHubSettings()
        settings.strangersAsk = false
        settings.messageBurst = 1_000_000
        return settings
    }
}

func asker(_ number: Int64, _ device: String = "phone") throws -> ChatAsker {
    ChatAsker(try person(number), device: device)
}

/// What came, in order; a test waits for a number of it.
final class Recorded<Item: Sendable>: Sendable {
    private let items = Mutex<[Item]>([])

    func add(_ item: Item) { items.withLock { $0.append(item) } }

    var all: [Item] { items.withLock(\.self) }

    /// Returns with the suite's time limit in any case: the test is cancelled then.
    func wait(for count: Int) async -> [Item] {
        while !Task.isCancelled, items.withLock({ $0.count < count }) { await Task.yield() }
        return all
    }
}

extension ChatDelivery {
    var change: ChatChange? {
        switch self {
        case .push(let push): push.change
        case .resync: nil
        }
    }

    var message: StoredMessage? { if case .message(let message) = change { message } else { nil } }
}
