import Accounts
import Kernel
import KernelTesting
import Testing

@testable import Chat

/// A server's log of one conversation, from which pushes, pages and pulls are made.
private struct ServerLog {
    let scene: ChatScene
    var messages: [MessageData] = []
    private var recalled: Set<Int64> = []
    private var burned: Set<Int64> = []
    /// Recalls and burned photos: what a device that was away catches up with.
    private(set) var events: [MessageData] = []
    private var next = 0

    init(_ scene: ChatScene) { self.scene = scene }

    var newest: Int64 { Int64(messages.count) }

    mutating func append(_ id: String, from sender: UserID, _ payload: MessagePayload) -> MessageData {
        let data = scene.data(id, from: sender, at: newest + 1, payload)
        messages.append(data)
        return data
    }

    mutating func recall(_ place: Int64) -> MessageData? {
        guard recalled.insert(place).inserted else { return nil }
        let data = messages[Int(place) - 1]
        var event = data
        next += 1
        event.clientMessageID = "event-\(next)"
        event.sequence = 1000 + Int64(next)
        event.contentType = .revoke
        event.element =
            RevokeNotice(
                clientMessageID: data.clientMessageID,
                revoker: data.sender,
                time: 1,
                sequence: place,
                conversation: scene.conversation
            ).pushElement
        events.append(event)
        return event
    }

    mutating func burn(_ place: Int64) -> MessageData? {
        let data = messages[Int(place) - 1]
        guard case .flashImage = data.payload, burned.insert(place).inserted, let sender = data.sender,
            let viewer = scene.conversation.peer(of: sender)
        else { return nil }
        next += 1
        let viewed = MessagePayload.flashViewed(FlashViewedPayload(messageID: data.clientMessageID))
        let event = scene.data("event-\(next)", from: viewer, at: 0, viewed)
        events.append(event)
        return event
    }

    /// A row as it is read now, with its state folded in.
    func row(_ place: Int64) -> MessageData {
        var data = messages[Int(place) - 1]
        if recalled.contains(place) {
            data.contentType = .revoke
            data.element =
                RevokeNotice(
                    clientMessageID: data.clientMessageID,
                    revoker: data.sender,
                    time: 1,
                    sequence: place,
                    sourceTime: data.sendTime,
                    sourceSender: data.sender
                ).historyElement
        } else if burned.contains(place) {
            data.element = MessagePayload.flashImage(.gone).element
        }
        return data
    }

    func rows(_ range: ClosedRange<Int64>) -> [MessageData] {
        range.clamped(to: 1...max(1, newest)).filter { $0 <= newest }.map(row)
    }
}

/// A device of Ada's over a network that loses, doubles and reorders.
private struct Device {
    let scene: ChatScene
    let mapper: IMMessageMapper
    var timeline: MessageTimeline
    /// Pushes on their way.
    var pushes: [MessageData] = []
    /// A page that was read and has not come yet.
    var page: (request: HistoryRequest, page: HistoryPage)?

    init(_ scene: ChatScene) throws {
        self.scene = scene
        mapper = IMMessageMapper(me: scene.ada)
        timeline = try #require(MessageTimeline(scene.conversation, me: scene.ada))
    }

    func items(_ data: [MessageData]) -> [IncomingItem] {
        data.compactMap { mapper.item($0, in: scene.conversation) }
    }

    /// The network takes up something that the server pushes.
    mutating func push(_ data: MessageData, using generator: inout SeededGenerator) {
        // The wire is walked, too.
        guard let read = try? MessageData(wire: data.wire) else { return }
        if generator.chance(0.2) { return }
        pushes.append(read)
        if generator.chance(0.2) { pushes.append(read) }
    }

    mutating func deliver(using generator: inout SeededGenerator) {
        guard !pushes.isEmpty else { return }
        let index = generator.chance(0.6) ? 0 : Int.random(in: 0..<pushes.count, using: &generator)
        for item in items([pushes.remove(at: index)]) { timeline.receive(item) }
    }

    mutating func load(_ server: ServerLog) {
        if let page {
            timeline.finishLoading(page.request, page.page)
            self.page = nil
        } else if let request = timeline.beginLoading() {
            let last = min(request.before.map { $0 - 1 } ?? server.newest, server.newest)
            let first = max(1, last - 6)
            let data = last < 1 ? [] : server.rows(first...last)
            page = (request, HistoryPage(items(data), isEnd: first == 1, lowest: last < 1 ? nil : first, newest: last))
        }
    }

    mutating func pull(_ server: ServerLog) {
        guard let missing = timeline.missing else { return }
        timeline.repair(items(server.rows(missing)), covering: missing)
    }

    /// Connects without losses: everything is caught up with.
    mutating func settle(_ server: ServerLog, using generator: inout SeededGenerator) {
        while !pushes.isEmpty { deliver(using: &generator) }
        if let page {
            // The line broke under it.
            timeline.failLoading(page.request)
            self.page = nil
        }
        while timeline.paging.hasMore {
            load(server)
            load(server)
        }
        timeline.noteNewest(server.newest)
        while timeline.missing != nil { pull(server) }
        for item in items(server.events) { timeline.receive(item) }
    }
}

/// What two devices have to agree on.
private struct Agreed: Hashable {
    let key: MessageKey
    let sequence: Int64?
    let type: MessageType
    let content: String
    let isRecalled: Bool
    let isDestroyed: Bool
    let status: MessageStatus
    let sendTime: Int64?

    init(_ message: ChatMessage) {
        key = message.key
        sequence = message.sequence
        type = message.type
        content = message.content
        isRecalled = message.isRecalled
        isDestroyed = message.isDestroyed
        status = message.status
        sendTime = message.sendTime
    }
}

@Suite("Any order, any loss, any repeat", .timeLimit(.minutes(4)))
struct TimelinePropertyTests {
    @Test(
        "I4, I5, I6: whatever is lost, doubled and reordered, two devices of a person show the same rows, each once: 400 runs"
    )
    func converges() throws {
        let scene = try ChatScene()
        var recalls = 0
        for seed in 0..<UInt64(400) {
            var generator = SeededGenerator(seed: seed)
            var server = ServerLog(scene)
            var devices = [try Device(scene), try Device(scene)]
            for step in 0..<60 {
                try walk(step, &server, &devices, &generator, &recalls)
            }
            for index in devices.indices { devices[index].settle(server, using: &generator) }
            let expected = server.rows(1...max(1, server.newest)).map(\.sequence)
            let rows = devices.map { $0.timeline.rows.map(Agreed.init) }
            #expect(rows[0].map(\.sequence) == expected, "seed \(seed)")
            #expect(rows[0] == rows[1], "seed \(seed)")
            #expect(Set(rows[0].map(\.key)).count == rows[0].count, "seed \(seed)")
        }
        // Runs without recalls would prove less.
        #expect(recalls > 200)
    }

    private func walk(
        _ step: Int,
        _ server: inout ServerLog,
        _ devices: inout [Device],
        _ generator: inout SeededGenerator,
        _ recalls: inout Int
    ) throws {
        let scene = server.scene
        var told: MessageData?
        switch Int.random(in: 0..<10, using: &generator) {
        case 0, 1, 2:
            let payload: MessagePayload =
                generator.chance(0.3)
                ? .flashImage(FlashImagePayload(objectKey: "chat/flash/\(step)")) : .text("t\(step)")
            told = server.append("m\(step)", from: scene.bob, payload)
        case 3, 4:
            // The first device sends: the row is there at once, the answer may be lost.
            let id = "a\(step)"
            devices[0].timeline.add(scene.message(id, from: scene.ada, time: 1, status: .sending, .text(id)))
            let data = server.append(id, from: scene.ada, .text(id))
            if generator.chance(0.6) {
                devices[0].timeline.acknowledge(
                    SendMessageAnswer(
                        serverMessageID: data.serverMessageID,
                        clientMessageID: id,
                        sendTime: data.sendTime,
                        sequence: data.sequence
                    )
                )
            } else if generator.chance(0.5) {
                try? devices[0].timeline.fail(id, reason: "no answer")
            }
            told = data
        case 5 where server.newest > 0:
            told = server.recall(Int64.random(in: 1...server.newest, using: &generator))
            if told != nil { recalls += 1 }
        case 6 where server.newest > 0:
            told = server.burn(Int64.random(in: 1...server.newest, using: &generator))
        case 7:
            let index = Int.random(in: 0..<devices.count, using: &generator)
            devices[index].load(server)
        case 8:
            let index = Int.random(in: 0..<devices.count, using: &generator)
            devices[index].pull(server)
        default: break
        }
        for index in devices.indices {
            if let told { devices[index].push(told, using: &generator) }
            if generator.chance(0.7) { devices[index].deliver(using: &generator) }
        }
    }

    @Test("10,000 messages in reverse order are one list in order")
    func reverse() throws {
        let scene = try ChatScene()
        var timeline = try scene.timeline()
        let items = (1...Int64(10_000)).reversed().map { scene.item("\($0)", at: $0) }
        for start in stride(from: 0, to: items.count, by: 500).reversed() {
            let places = items[start..<(start + 500)].compactMap(\.sequence)
            timeline.repair(Array(items[start..<(start + 500)]), covering: places[499]...places[0])
        }
        #expect(timeline.rows.compactMap(\.sequence) == Array(1...10_000))
        #expect(timeline.appliedThrough == 10_000)
    }
}
