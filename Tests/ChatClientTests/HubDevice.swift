import Accounts
import Chat
import Foundation
import GRDB
import Kernel
import KernelTesting
import Logging
import Storage
import Synchronization
import Testing
import WebClient

@testable import ChatClient
@testable import ChatHub

/// What a network does to a device.
struct Faults: Sendable {
    /// The parts of pushes that are lost, come twice, or come after the next one.
    var lost = 0.0
    var doubled = 0.0
    var late = 0.0
    /// The parts of requests that do not arrive, and whose answers do not.
    var unasked = 0.0
    var unanswered = 0.0

    static let none = Faults()
    static let bad = Faults(lost: 0.2, doubled: 0.2, late: 0.2, unasked: 0.05, unanswered: 0.05)
}

/// A device's way to a hub in this process, which a test spoils.
final class SpoiledServer: ChatServer {
    private struct State {
        var random: SeededGenerator
        var faults: Faults
        var isDead = false
        /// Ends the connection.
        var cut: AsyncStream<ChatDelivery>.Continuation?
        var asked: [String] = []
        /// Requests that wait until the test lets them go, by their paths.
        var held: Set<String> = []
        var isOnline = true
    }

    let hub: MemoryHub
    let person: UserID
    let device: String
    private let state: Mutex<State>
    private let onlines = LatestValue(true)
    let connections = LatestValue(0)

    init(_ hub: MemoryHub, _ person: UserID, _ device: String, seed: UInt64 = 0, faults: Faults = .none) {
        self.hub = hub
        self.person = person
        self.device = device
        state = Mutex(State(random: SeededGenerator(seed: seed), faults: faults))
    }

    var isOnline: Bool { state.withLock { $0.isOnline && !$0.isDead } }

    var asked: [String] { state.withLock(\.asked) }

    func setFaults(_ faults: Faults) { state.withLock { $0.faults = faults } }

    /// Ends the connection, which is made anew at once where the device is online.
    func cut() { state.withLock(\.cut)?.finish() }

    func setOnline(_ isOnline: Bool) {
        state.withLock { $0.isOnline = isOnline }
        onlines.set(isOnline)
        if !isOnline { cut() }
    }

    /// The process is killed: nothing is told or answered any more.
    func kill() {
        state.withLock { $0.isDead = true }
        cut()
    }

    private func draw(_ part: KeyPath<Faults, Double>) -> Bool {
        state.withLock { state in
            let chance = state.faults[keyPath: part]
            return chance > 0 && state.random.chance(chance)
        }
    }

    private var isDead: Bool { state.withLock(\.isDead) }

    // MARK: ChatServer

    func follow(_ receive: @escaping @Sendable (ChatServerNews) async -> Void) async {
        for await isOnline in onlines.values() {
            guard isOnline else { continue }
            while !Task.isCancelled, state.withLock({ $0.isOnline }), !isDead {
                await connection(receive)
            }
            if isDead { break }
        }
        // A dead process waits for its end.
        let (never, end) = AsyncStream.makeStream(of: Never.self)
        for await _ in never {}
        end.finish()
    }

    private func connection(_ receive: @escaping @Sendable (ChatServerNews) async -> Void) async {
        let (deliveries, line) = AsyncStream.makeStream(of: ChatDelivery.self)
        let asker = hub.asker(person, device)
        let id = try? hub.service.connections.connect(asker.chat) { items in
            for item in items { line.yield(item) }
            return true
        }
        guard let id else { return await Task.yield() }
        state.withLock { $0.cut = line }
        // Cut before this connection had its line.
        if isDead || !state.withLock({ $0.isOnline }) { line.finish() }
        await receive(.connected)
        connections.update { $0 += 1 }
        var late: ChatDelivery?
        for await delivery in deliveries {
            if isDead { break }
            if draw(\.lost) { continue }
            if late == nil, draw(\.late) {
                late = delivery
                continue
            }
            await hand(delivery, to: receive)
            if draw(\.doubled) { await hand(delivery, to: receive) }
            if let waiting = late { await hand(waiting, to: receive) }
            late = nil
        }
        hub.service.connections.disconnect(id)
        if !isDead { await receive(.lost) }
    }

    /// As a client reads a push from the socket.
    private func hand(_ delivery: ChatDelivery, to receive: @Sendable (ChatServerNews) async -> Void) async {
        guard let data = try? await SyncFrame.Response(delivery, to: person, media: hub.media).data else { return }
        if data["resync"]?.boolValue == true { return await receive(.resync) }
        if let parts = try? PulledMessages(wire: data).parts, !parts.isEmpty {
            await receive(.messages(parts.values.flatMap(\.messages)))
        }
        let events = (data["events"]?.arrayValue ?? []).compactMap { try? ChatEvent(wire: $0) }
        if !events.isEmpty { await receive(.events(events)) }
    }

    func ask<Request, Answer>(
        _ endpoint: ChatEndpoint<Request, Answer>,
        _ request: Request
    ) async throws(ChatError) -> Answer {
        state.withLock { $0.asked.append(endpoint.path) }
        await Task.yield()
        while isDead || state.withLock({ $0.held.contains(endpoint.path) }) {
            if Task.isCancelled { throw .unreachable }
            await Task.yield()
        }
        guard state.withLock({ $0.isOnline }), !draw(\.unasked) else { throw .unreachable }
        let answer = try await hub.ask(endpoint, request, by: hub.asker(person, device))
        guard !draw(\.unanswered) else { throw .unreachable }
        return answer
    }

    func hold(_ path: String) { state.withLock { _ = $0.held.insert(path) } }

    func release(_ path: String) { state.withLock { _ = $0.held.remove(path) } }
}

/// The hub's answer to a message is what its sending is.
struct HubPipeline: OutgoingPipeline {
    let server: SpoiledServer

    func upload(
        _ file: OutgoingMedia.File,
        of kind: OutgoingMedia.Kind,
        progress: @escaping @Sendable (Double) -> Void
    ) async throws -> OutgoingMedia.File {
        progress(0.5)
        var file = file
        file.objectKey = "chat/image/\(file.source)"
        return file
    }

    func send(_ request: SendMessage) async throws -> SendMessageAnswer {
        try await server.ask(ChatEndpoints.send, request)
    }
}

/// A person's device: a repository over a database, which follows the hub until it is ended or killed.
final class HubDevice: Sendable {
    let repository: ChatRepository
    let server: SpoiledServer
    let folder: TemporaryFolder?
    let database: any DatabaseWriter
    private let running: Task<Void, Never>
    private let isRunning: Bool

    /// - Parameters:
    ///   - folder: Where its database is; nil for one in memory.
    ///   - clock: By which it waits; nil for one whose waits end at once.
    init(
        _ hub: MemoryHub,
        _ person: UserID,
        _ device: String = "phone",
        in folder: TemporaryFolder? = nil,
        seed: UInt64 = 0,
        faults: Faults = .none,
        sealing: any MessageSealing = ClearMessages(),
        pipeline: (any OutgoingPipeline)? = nil,
        media: (any ChatMediaDesk)? = nil,
        clock: (any TimeSource)? = nil,
        isRunning: Bool = true,
        database: (any DatabaseWriter)? = nil
    ) async throws {
        self.folder = folder
        server = SpoiledServer(hub, person, device, seed: seed, faults: faults)
        let opened: any DatabaseWriter =
            if let database {
                database
            } else if let folder {
                try StateDatabase.open(folder.database, schema: [ChatStore.migrations])
            } else {
                try StateDatabase.inMemory(schema: [ChatStore.migrations])
            }
        // A killed process loses nothing that was written; only a power cut does, which is the hub's and Storage's test.
        try await opened.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = OFF") }
        self.database = opened
        let repository = try await ChatRepository(
            of: .test(person),
            in: ChatStore(opened),
            server: server,
            sealing: sealing,
            pipeline: pipeline ?? HubPipeline(server: server),
            media: media,
            time: clock ?? QuickClock(),
            logger: Logger(label: "device-test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
        self.repository = repository
        self.isRunning = isRunning
        running = Task { if isRunning { await repository.run() } }
    }

    /// Ends the process in an orderly way.
    func end() async {
        running.cancel()
        await repository.end()
        await running.value
    }

    /// What a crash leaves: the files as they are at this moment.
    func killed() async throws -> TemporaryFolder {
        let folder = try #require(folder)
        server.kill()
        let copy = try TemporaryFolder()
        // While nothing is written: the two files are of one moment.
        try await database.writeWithoutTransaction { _ in
            try Data(contentsOf: folder.database).write(to: copy.database)
            let log = URL(filePath: folder.database.path + "-wal")
            guard FileManager.default.fileExists(atPath: log.path) else { return }
            try Data(contentsOf: log).write(to: URL(filePath: copy.database.path + "-wal"))
        }
        await end()
        return copy
    }

    /// Returns once nothing is due, waits or is on its way. The suite's time limit bounds it.
    func settle() async throws {
        // Before its first connection nothing is due.
        if isRunning, server.isOnline { for await count in server.connections.values() where count > 0 { break } }
        while await !repository.isSettled {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// Mends the network, and has everything asked for anew.
    func heal() async throws {
        server.setFaults(.none)
        server.setOnline(true)
        let before = server.connections.value
        server.cut()
        for await count in server.connections.values() where count > before { break }
        try await settle()
    }

    /// Every message of a conversation as pages show it, the oldest first.
    func history(_ id: ConversationID, page: Int = ChatLimits.page) async throws -> [ChatControl.MessageEntry] {
        var all: [ChatControl.MessageEntry] = []
        var before: Int64?
        while true {
            let found = try await repository.history(of: id, before: before, limit: page)
            all = found.messages + all
            guard !found.isEnd, let first = found.messages.first?.seq else { return all }
            before = first
        }
    }

    func words(_ id: ConversationID) async throws -> [String] {
        try await history(id).map { $0.kind == .recalled ? "-" : $0.text }
    }

    func entry(_ id: ConversationID) async throws -> ChatControl.ConversationEntry {
        try await repository.conversation(id)
    }
}

extension ChatAccount {
    static func test(_ person: UserID, hub: String = "https://hub.example") throws -> ChatAccount {
        ChatAccount(user: person, hub: try WebURL(hub), name: "name\(person.number)", nickname: "")
    }
}

/// Two people, a third one, and the conversation of the first two.
struct Scene: Sendable {
    let hub: MemoryHub
    let ada: UserID
    let bob: UserID
    let cy: UserID
    /// Of Ada and Bob.
    let chat: ConversationID

    init(strangersAsk: Bool = false) throws {
        hub = try MemoryHub(strangersAsk: strangersAsk)
        ada = try #require(UserID(7))
        bob = try #require(UserID(9))
        cy = try #require(UserID(11))
        chat = try #require(ConversationID(ada, bob))
    }
}

/// A folder that goes with its owner.
final class TemporaryFolder: Sendable {
    let url: URL
    var database: URL { url.appending(path: "chat.sqlite") }

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "chat-client-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }  // the system clears the rest

    /// Whether a text stands anywhere in the files of the database, its log included.
    func holds(_ text: String) throws -> Bool {
        try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil).contains { file in
            try Data(contentsOf: file).range(of: Data(text.utf8)) != nil
        }
    }
}

/// Ends short waits at once, and never those of limits: a request that is answered is not too late.
final class QuickClock: TimeSource {
    private static let limit = Duration.seconds(20)
    private let manual = ManualClock()

    var now: ContinuousClock.Instant { manual.now }
    var date: Date { manual.date }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        guard deadline - now < Self.limit else { return try await manual.sleep(until: deadline, tolerance: tolerance) }
        try Task.checkCancellation()
        await Task.yield()
    }
}
