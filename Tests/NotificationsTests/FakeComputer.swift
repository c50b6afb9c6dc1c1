import CommandClient
import Commands
import FeatureTesting
import Foundation
import GRDB
import Kernel
import KernelTesting
import Logging
import Storage
import Synchronization
import Testing

@testable import Notifications

/// A computer with the real rules of numbers, which a test lets happen what it wants.
final class FakeComputer: Sendable {
    private struct State {
        var epoch = "epoch-1"
        var sequence: Int64 = 0
        /// Goes on whatever is restored.
        var clock: Int64 = 0
        var rows: [String: RemoteNotification] = [:]
        var deleted: [String: Int64] = [:]
        /// What was answered to a request id: a repeat is not done twice.
        var answered: [String: JSONValue] = [:]
        var syncs: [NotificationSyncQuery] = []
        /// The highest number that the phone said to have.
        var confirmed: Int64 = 0
    }

    /// As `ScriptedPeer` is called.
    static let id = "did:key:z6MkOther"
    private let state = Mutex(State())
    /// A failure in the place of every answer.
    let failure = Mutex<RemoteFailure?>(nil)
    /// How often that was the answer.
    let failed = Mutex(0)
    /// Methods that another program of this computer would be asked again, where the one before ended without an answer.
    let repeatable = Mutex<Set<String>>([])
    /// What was there before the phone was paired; nil: it does not know.
    let history = Mutex<Int64?>(0)

    var rows: [String: RemoteNotification] { state.withLock(\.rows) }
    var unread: Set<String> { Set(rows.values.filter { !$0.isRead }.map(\.id)) }
    var syncs: [NotificationSyncQuery] { state.withLock(\.syncs) }
    var sequence: Int64 { state.withLock(\.sequence) }

    // MARK: What happens there

    /// New, or shown again under the same id.
    @discardableResult
    func show(_ id: String, silenced: Bool = false, title: String? = nil) -> NotificationEvent {
        state.withLock { state in
            state.sequence += 1
            state.clock += 1
            state.deleted[id] = nil
            var row =
                state.rows[id]
                ?? RemoteNotification(id: id, title: title ?? "Title \(id)", body: "Body", createdAt: state.clock)
            row.createdAt = state.clock
            row.isRead = false
            row.isSilenced = silenced
            row.body = "Body \(state.sequence)"
            row.sequence = state.sequence
            row.alert = state.sequence
            row.revision = nil
            state.rows[id] = row
            return Self.event(.received(row), state)
        }
    }

    /// Its clock is put forward, or back.
    func putClock(by milliseconds: Int64) { state.withLock { $0.clock += milliseconds } }

    /// Another text, and nothing to notice.
    func progress(_ id: String) -> NotificationEvent? {
        change(id) { $0.progress = Int($0.sequence ?? 0) % 100 }
    }

    func read(_ id: String) -> NotificationEvent? {
        guard rows[id]?.isRead == false else { return nil }
        return change(id, saysElse: false) {
            $0.isRead = true
            $0.readAt = 1
        }
    }

    func delete(_ id: String) -> NotificationEvent? {
        state.withLock { state in
            guard state.rows.removeValue(forKey: id) != nil else { return nil }
            state.sequence += 1
            state.deleted[id] = state.sequence
            return Self.event(.deleted(id: id), state)
        }
    }

    /// Leaves the lists without a word, as what is too old does.
    func forget(_ id: String) { state.withLock { _ = $0.rows.removeValue(forKey: id) } }

    /// As it was earlier, from a copy of the file: the same epoch.
    func restore(_ earlier: Earlier) {
        state.withLock { state in
            state.sequence = earlier.sequence
            state.rows = earlier.rows
            state.deleted = [:]
        }
    }

    struct Earlier {
        let sequence: Int64
        let rows: [String: RemoteNotification]
    }

    var earlier: Earlier { state.withLock { Earlier(sequence: $0.sequence, rows: $0.rows) } }

    /// Another database, with the same rows or fewer, which counts anew.
    func restore(dropping dropped: Set<String> = []) {
        state.withLock { state in
            state.epoch += "'"
            state.deleted = [:]
            state.sequence = 0
            for id in dropped { state.rows[id] = nil }
            for id in state.rows.keys.sorted() {
                state.sequence += 1
                state.rows[id]?.sequence = state.sequence
                state.rows[id]?.alert = state.sequence
                state.rows[id]?.revision = nil
            }
        }
    }

    private func change(
        _ id: String,
        saysElse: Bool = true,
        _ work: (inout RemoteNotification) -> Void
    ) -> NotificationEvent? {
        state.withLock { state in
            guard var row = state.rows[id] else { return nil }
            state.sequence += 1
            work(&row)
            row.revision = saysElse ? nil : row.revision ?? row.sequence
            row.sequence = state.sequence
            state.rows[id] = row
            return Self.event(.changed(row), state)
        }
    }

    private static func event(_ kind: NotificationEvent.Kind, _ state: State) -> NotificationEvent {
        NotificationEvent(
            kind,
            epoch: state.epoch,
            sequence: state.sequence,
            unreadCount: state.rows.values.count { !$0.isRead }
        )
    }

    // MARK: What it answers

    func call(_ method: String, _ params: JSONValue, request: String = UUID().uuidString) throws -> JSONValue {
        if let failure = failure.withLock(\.self) {
            failed.withLock { $0 += 1 }
            throw failure
        }
        if let known = state.withLock({ $0.answered[request] }) { return known }
        let parameters = RemoteParameters(try JSONValue(parsing: params.canonicalBytes))
        let answer: JSONValue
        switch method {
        case NotificationMethods.sync.name: answer = sync(try NotificationSyncQuery(wire: parameters)).wire
        case NotificationMethods.markAsRead.name:
            answer = NotificationCount(upTo(try NotificationIDs(wire: parameters)).count { read($0) != nil }).wire
        case NotificationMethods.markAllAsRead.name:
            answer = NotificationCount(upTo(try AllNotifications(wire: parameters)).count { read($0) != nil }).wire
        case NotificationMethods.delete.name:
            answer = NotificationCount(upTo(try NotificationIDs(wire: parameters)).count { delete($0) != nil }).wire
        case NotificationMethods.clearAll.name:
            answer = NotificationCount(upTo(try AllNotifications(wire: parameters)).count { delete($0) != nil }).wire
        default: throw RemoteFailure(code: FailureCode.unknownMethod, message: method)
        }
        state.withLock { $0.answered[request] = answer }
        return try JSONValue(parsing: answer.canonicalBytes)
    }

    private func upTo(_ named: NotificationIDs) -> [String] {
        let rows = rows
        return named.ids.filter { (rows[$0]?.alert ?? .max) <= named.upTo ?? .max }
    }

    private func upTo(_ all: AllNotifications) -> [String] {
        rows.values.filter { $0.isSaid(by: all.upTo ?? .max) }.map(\.id).sorted()
    }

    private func sync(_ query: NotificationSyncQuery) -> NotificationChanges {
        let history = history.withLock(\.self)
        return state.withLock { state in
            state.syncs.append(query)
            let isFromStart = query.epoch != state.epoch || query.after > state.sequence
            state.confirmed = isFromStart ? 0 : max(state.confirmed, query.after)
            let after = isFromStart ? 0 : query.after
            let rows = state.rows.values.map { ($0.sequence ?? 0, NotificationChanges.Change.kept($0)) }
            let gone = state.deleted.map { ($1, NotificationChanges.Change.deleted(id: $0, sequence: $1)) }
            let all = (rows + (isFromStart ? [] : gone)).filter { $0.0 > after }.sorted { $0.0 < $1.0 }
            let page = all.prefix(query.limit)
            return NotificationChanges(
                epoch: state.epoch,
                changes: page.map(\.1),
                reached: all.count > page.count ? page.last?.0 ?? after : state.sequence,
                hasMore: all.count > page.count,
                isFromStart: isFromStart,
                unreadCount: state.rows.values.count { !$0.isRead },
                history: isFromStart ? history : query.after < state.confirmed ? state.confirmed : nil
            )
        }
    }
}

/// Counts what was shown, as a screen that replaces by id would.
final class CountingPresenter: NotificationPresenter {
    struct Shown: Hashable, Sendable {
        let id: String
        let alert: Int64
    }

    private struct State {
        var shown: [Shown] = []
        var onScreen: Set<String> = []
        /// Was handed over by a program that ended before it could note that.
        var interrupted: Set<Shown> = []
        var repeated: [Shown] = []
        var badge = 0
        var last: [Shown] = []
        var isStuck = false
        var held: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let allowed: NotificationAuthorization

    init(_ allowed: NotificationAuthorization = .authorized) { self.allowed = allowed }

    var shown: [Shown] { state.withLock(\.shown) }
    var onScreen: Set<String> { state.withLock(\.onScreen) }
    var repeated: [Shown] { state.withLock(\.repeated) }
    var badge: Int { state.withLock(\.badge) }

    func authorization() async -> NotificationAuthorization { allowed }

    func present(_ banners: [NotificationBanner]) async {
        let isStuck = state.withLock { state in
            state.last = banners.map { Shown(id: $0.id.notification, alert: $0.alert) }
            for one in state.last {
                state.onScreen.insert(one.id)
                if state.shown.contains(one) {
                    if !state.interrupted.contains(one) { state.repeated.append(one) }
                } else {
                    state.shown.append(one)
                }
                if state.isStuck { state.interrupted.insert(one) } else { state.interrupted.remove(one) }
            }
            return state.isStuck
        }
        guard isStuck else { return }
        await withCheckedContinuation { continuation in
            let goesOn = state.withLock { state in
                if state.isStuck { state.held.append(continuation) }
                return !state.isStuck
            }
            if goesOn { continuation.resume() }
        }
    }

    func withdraw(_ ids: [KeptNotification.ID]) async {
        state.withLock { state in for id in ids { state.onScreen.remove(id.notification) } }
    }

    func badge(_ count: Int) async { state.withLock { $0.badge = count } }

    /// From now on what is handed over is never noted, until the program is ended.
    func stick() { state.withLock { $0.isStuck = true } }

    /// The program ends: what it handed over last may not be noted.
    func interrupt() { state.withLock { $0.interrupted.formUnion($0.last) } }

    func release() {
        let held = state.withLock { state in
            state.isStuck = false
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }
}

/// A phone's half over a database that outlives its programs.
final class PhoneScene: Sendable {
    let clock = ManualClock()
    let computer = FakeComputer()
    /// Where ``shower`` is one.
    let presenter: CountingPresenter
    private let shower: any NotificationPresenter
    let database: DatabaseQueue
    let queue: OfflineCommandQueue
    /// Decides for each call whether the request or the answer is lost.
    let isLost: @Sendable () -> (request: Bool, answer: Bool)
    private let bounds: NotificationStore.Bounds
    private let canWait: Bool
    private let current = Mutex<(phone: PhoneNotifications, inbox: NotificationInbox, run: Task<Void, Never>)?>(nil)

    init(
        presenter: any NotificationPresenter = CountingPresenter(),
        bounds: NotificationStore.Bounds = .init(),
        canWait: Bool = true,
        isLost: @escaping @Sendable () -> (request: Bool, answer: Bool) = { (false, false) }
    ) throws {
        self.presenter = presenter as? CountingPresenter ?? CountingPresenter()
        shower = presenter
        self.isLost = isLost
        self.bounds = bounds
        self.canWait = canWait
        database = try StateDatabase.inMemory(schema: [NotificationStore.migrations])
        queue = .inMemory(NotificationMethods.all, time: clock)
        start()
    }

    var phone: PhoneNotifications { current.withLock { $0?.phone } ?? preconditionPhone() }
    var inbox: NotificationInbox { current.withLock { $0?.inbox } ?? preconditionInbox() }

    private func preconditionPhone() -> PhoneNotifications { preconditionFailure("the phone runs") }
    private func preconditionInbox() -> NotificationInbox { preconditionFailure("the phone runs") }

    func start() {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let phone = PhoneNotifications(
            store: NotificationStore(database, bounds: bounds),
            presenter: shower,
            time: clock,
            logger: logger
        )
        let keep: ComputerContext.Enqueue = { [queue] in
            try await queue.enqueue($0, $1, for: FakeComputer.id, id: $2, joining: $3)
        }
        let context = ComputerContext(
            id: FakeComputer.id,
            call: { [computer, isLost] method, params, _, isRepeatable in
                if isRepeatable { computer.repeatable.withLock { _ = $0.insert(method) } }
                let lost = isLost()
                if lost.request { throw RemoteError.timeout(id: "1", method: method, after: .seconds(30)) }
                let answer = try computer.call(method, params)
                if lost.answer { throw RemoteError.timeout(id: "1", method: method, after: .seconds(30)) }
                return answer
            },
            sendFrame: { _ in },
            enqueue: canWait ? keep : nil
        )
        let inbox = NotificationInbox(context, phone)
        let computers = ScriptedComputers(ScriptedPeer(answering: [:]), part: inbox, queue: queue)
        let run = Task { await phone.run(computers) }
        current.withLock { $0 = (phone, inbox, run) }
    }

    /// The program ends, wherever it is.
    func stop() async {
        guard let (phone, inbox, run) = current.withLock({ $0 }) else { return }
        run.cancel()
        async let closed: Void = phone.close()
        await Task.yield()
        presenter.release()
        await closed
        await inbox.close()
        await run.value
        presenter.interrupt()
    }

    func restart() async {
        await stop()
        start()
    }

    /// Sends what waits.
    func drain() async throws {
        _ = try await queue.drain(for: FakeComputer.id) { [computer, isLost] request in
            let lost = isLost()
            if lost.request { throw RemoteError.timeout(id: request.id, method: request.method, after: .seconds(30)) }
            let answer = try computer.call(request.method, request.params, request: request.id)
            if lost.answer { throw RemoteError.timeout(id: request.id, method: request.method, after: .seconds(30)) }
            return answer
        }
    }

    /// All rows, as a person sees them.
    func rows() async throws -> [KeptNotification] {
        var rows: [KeptNotification] = []
        var page = try await phone.page(limit: 500)
        rows += page.items
        while page.hasMore, let last = page.items.last {
            page = try await phone.page(limit: 500, before: last.place)
            rows += page.items
        }
        return rows
    }

    /// Returns once it is so; a test's time limit ends a wait that is in vain.
    func until(_ isSo: () async throws -> Bool) async throws {
        while try await !isSo() {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
