import Accounts
import AccountsHub
import Chat
import GRDB
import Kernel
import Logging
import Metrics
import Synchronization

/// Tells closed devices of messages: each message to each of them once, never to one that is connected, and nothing where nobody wants to hear
/// of it.
final class ClosedDevices: Sendable {
    /// Messages that wait to be told. Beyond it the oldest is not told: its device finds it when it is opened.
    static let waitingLimit = 4096
    /// People whose devices are told at a time: fewer than the messages that a sender of Web Push has under way.
    private static let width = 8
    /// Bytes of words in a push.
    private static let textLimit = 300

    private struct State {
        var waiting: [OfflineNotice] = []
        /// A person's devices are told of one message after the other, so that they come in order.
        var busy: Set<UserID> = []
        /// The devices that can be woken, and some that could: whoever has none that is closed need not be looked for.
        var wakeable: [UserID: Set<String>] = [:]
        /// Whether those of the table are among them.
        var isLoaded = false
    }

    private let database: any DatabaseWriter
    private let pusher: any DevicePusher
    /// The name that a person is shown by.
    private let name: @Sendable (UserID) async throws -> String?
    private let time: any TimeSource
    private let logger: Logger
    private let state = Mutex(State())
    private let arrived = LatestValue(0)

    /// - Parameter database: With the table of ``PushTable``.
    init(
        _ database: any DatabaseWriter,
        pusher: any DevicePusher,
        name: @escaping @Sendable (UserID) async throws -> String?,
        time: any TimeSource,
        logger: Logger
    ) {
        self.database = database
        self.pusher = pusher
        self.name = name
        self.time = time
        self.logger = logger
    }

    /// Takes a message to be told. Does not wait.
    func add(_ notice: OfflineNotice) {
        guard !notice.isSilent else { return }
        let isDropped = state.withLock { state -> Bool? in
            // Most people are woken by nobody, and to ask the database for each message costs more than to store it.
            guard !state.isLoaded || state.wakeable[notice.person] != nil else { return nil }
            state.waiting.append(notice)
            guard state.waiting.count > Self.waitingLimit else { return false }
            state.waiting.removeFirst()
            return true
        }
        guard let isDropped else { return }
        if isDropped { Counter(label: "chat_notifications_dropped").increment() }
        arrived.update { $0 += 1 }
    }

    /// Tells until its task is cancelled. A push service that hangs holds up the devices of one person.
    ///
    /// - Parameter connected: The devices that a person is connected with.
    func run(connected: @escaping @Sendable (UserID) -> [String]) async {
        await load()
        await withDiscardingTaskGroup { group in
            for await _ in arrived.values() {
                while let notice = next() {
                    group.addTask { [self] in
                        await tell(notice, connected: Set(connected(notice.person)))
                        _ = state.withLock { $0.busy.remove(notice.person) }
                        arrived.update { $0 += 1 }
                    }
                }
            }
        }
    }

    /// Learns who can be woken. Until then, and where the database does not say, everybody is looked for.
    private func load() async {
        do {
            let devices = try await database.read { try PushTable.devices(in: $0) }
            state.withLock { state in
                for (person, device) in devices { state.wakeable[person, default: []].insert(device) }
                state.isLoaded = true
            }
        } catch is CancellationError {
            // The hub ends.
        } catch {
            logger.notice("who can be woken is not known", metadata: ["reason": "\(error)"])
        }
    }

    /// The next message that may be told now.
    private func next() -> OfflineNotice? {
        state.withLock { state in
            guard state.busy.count < Self.width,
                let index = state.waiting.firstIndex(where: { !state.busy.contains($0.person) })
            else { return nil }
            let notice = state.waiting.remove(at: index)
            state.busy.insert(notice.person)
            return notice
        }
    }

    private func tell(_ notice: OfflineNotice, connected: Set<String>) async {
        let isNeeded = state.withLock { state in
            guard state.isLoaded, let devices = state.wakeable[notice.person] else { return true }
            return !devices.isSubset(of: connected)
        }
        guard isNeeded else { return }
        do {
            let entries = try await database.read { try PushTable.entries(of: notice.person, in: $0) }
                .filter { !connected.contains($0.device) }
            guard !entries.isEmpty else { return }
            let sender = try await name(notice.sender) ?? notice.sender.imUserID
            for entry in entries {
                let payload = Self.payload(notice, of: sender, showsText: entry.showsText, at: time)
                let topic = notice.conversation.text
                switch await pusher.wake(entry.subscription, with: payload, topic: topic) {
                case .sent: Counter(label: "chat_notifications_sent").increment()
                case .failed: Counter(label: "chat_notifications_failed").increment()
                case .gone: try await database.write { try PushTable.remove(entry, in: $0) }
                }
            }
        } catch {
            logger.notice("closed devices were not told", metadata: ["reason": "\(error)"])
        }
    }

    /// What a device gets. Source: `docs/protocol.md`, "Closed devices".
    private static func payload(
        _ notice: OfflineNotice,
        of sender: String,
        showsText: Bool,
        at time: any TimeSource
    ) -> [UInt8] {
        var text = ""
        if showsText, !notice.isSealed {
            for character in notice.text where text.utf8.count + character.utf8.count <= textLimit {
                text.append(character)
            }
        }
        let value: JSONValue = [
            "type": "chat.message", "title": .string(sender), "body": .string(text),
            "id": .string(notice.conversation.text), "alert": .integer(notice.seq),
            "timestamp": .integer(time.date.millisecondsSince1970), "from": .string(notice.sender.imUserID),
            "conversationID": .string(notice.conversation.text), "seq": .integer(notice.seq),
            "request": .bool(notice.isRequest),
        ]
        return value.canonicalBytes
    }

    // MARK: Requests

    var requests: [ServedRequest] {
        [
            ServedRequest(ChatEndpoints.push) { [self] request, asker in
                switch request.change {
                case .none: break
                case .remove: try await database.write { try PushTable.remove(asker.session, in: $0) }
                case .set(let subscription, let showsText):
                    do { try pusher.check(subscription) } catch { throw ChatHubError.malformed("subscription") }
                    let entry = PushTable.Entry(
                        device: asker.session,
                        subscription: subscription,
                        showsText: showsText
                    )
                    // Before the row is there: a message that comes in between is looked after, and finds it or does not.
                    state.withLock { _ = $0.wakeable[asker.person, default: []].insert(asker.session) }
                    try await database.write { try PushTable.set(entry, of: asker.person, in: $0) }
                }
                return PushKey(applicationServerKey: pusher.publicKey)
            }
        ]
    }
}
