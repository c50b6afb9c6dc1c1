import CommandClient
import CommandServer
import Commands
import Kernel
import Logging
import Sealing
import Signaling
import Transport

/// The door for phones that speak only the documented wire: takes their commands at each signaling server, and sends them what they
/// asked to be told. Nothing here is sealed; what it may be used for is the gate's to say.
actor ClearDoor {
    /// Commands of one phone that run at a time, and that wait for their turn.
    static let runningLimit = 16
    static let waitingLimit = 256
    /// Commands of all such phones that run at a time.
    static let totalLimit = 64
    /// The memory that commands that run or wait may take, in bytes, as `RunningRequests` counts: those of one phone, and of all.
    static let byteLimit = 32 << 20
    static let totalByteLimit = 128 << 20
    /// Events of one phone that wait to be sent.
    static let eventLimit = 64
    static let heardLimit = 16
    /// Bytes of events a second for one phone, on average: the wire does not tell how fast a phone reads.
    static let eventRate = 1 << 20
    /// The time for which a phone that was sent nothing may be sent more at once.
    static let burst: Duration = .milliseconds(250)

    /// A signaling server at which such phones are met.
    struct Server: Sendable {
        let client: any SignalClient
        let kind: LinkKind
    }

    /// The functions that take the commands that come through the door.
    struct Hands: Sendable {
        var answer: @Sendable (CommandRequest, _ sender: String, LinkKind) async -> CommandResponse
        var cancel: @Sendable (CommandCancel, DID, LinkKind) async -> Void
        /// The methods that features declare.
        var methods: MethodCatalogue
        var policy: RemoteCallPolicy
    }

    /// Where a phone asked from last, and how it writes; of one that has not asked, where it is, and the documented form.
    private struct Route {
        let server: Int
        let isText: Bool
        let form: CommandRequest.Form
    }

    private struct Work {
        var request: CommandRequest
        let sender: String
        let envelope: ClearEnvelope
        let server: Int
        let size: Int
    }

    /// One phone's commands.
    private struct Line {
        var running = 0
        /// The bytes of those that run, and of those that wait.
        var bytes = 0
        /// Commands that run in their order, since a key carries no number.
        var ordered: [Work] = []
        var isOrderedRunning = false
    }

    private var servers: [Server] = []
    private var inboxes: [AsyncStream<SignalEvent>] = []
    private let isKnown: @Sendable (DID) -> Bool
    private let time: any TimeSource
    private let logger: Logger
    private let commands = OwnedTasks()
    private var lines: [DID: Line] = [:]
    private var routes: [DID: Route] = [:]
    private var online: [Set<DID>] = []
    private var registered: Set<Int> = []
    /// The devices that spoke lately and were not paired: one of them is perhaps just being paired. The newest last.
    private var heard: [(phone: DID, server: Int)] = []
    private var waitingEvents: [DID: Int] = [:]
    private var paidUntil: [DID: ContinuousClock.Instant] = [:]
    private var running = 0
    /// The memory that all of them take, in bytes.
    private var bytes = 0
    /// The phones whose presence is asked for when a server is reached.
    private var known: Set<DID> = []

    /// - Parameter isKnown: Whether a phone is paired, and without sealing.
    init(
        isKnown: @escaping @Sendable (DID) -> Bool,
        time: any TimeSource = .system,
        logger: Logger
    ) {
        self.isKnown = isKnown
        self.time = time
        self.logger = logger
    }

    /// Takes the servers at which such phones are met. From here on nothing is missed, even when ``run(phones:hands:)`` starts later.
    func open(at servers: [Server]) {
        self.servers = servers
        inboxes = servers.map { $0.client.messages() }
        online = servers.map { _ in [] }
    }

    /// Runs until its task is cancelled. Call once.
    ///
    /// - Parameter phones: Those that are paired without sealing, now and after each change.
    func run(phones: some AsyncSequence<[DID], Never> & Sendable, hands: Hands) async {
        await withDiscardingTaskGroup { group in
            for (index, inbox) in inboxes.enumerated() {
                group.addTask { for await event in inbox { await self.take(event, at: index, hands) } }
                group.addTask { [client = servers[index].client] in
                    for await state in client.states() { await self.serverState(state.presence != nil, index) }
                }
            }
            group.addTask { for await list in phones { await self.follow(list) } }
        }
        await commands.end()
    }

    // MARK: Who is here

    /// How a phone is reached now; nil while it is not.
    func path(to phone: DID) -> LinkKind? {
        servers.indices.filter { online[$0].contains(phone) }.map { servers[$0].kind }.max()
    }

    /// The phones that are paired without sealing now.
    private func follow(_ phones: [DID]) async {
        known = Set(phones)
        for phone in routes.keys where !known.contains(phone) { forget(phone) }
        for index in servers.indices { online[index].formIntersection(known) }
        for (phone, index) in heard where known.contains(phone) { online[index].insert(phone) }
        heard.removeAll { known.contains($0.phone) }
        for index in registered { await askAbout(phones.filter { !online[index].contains($0) }, at: index) }
    }

    func forget(_ phone: DID) {
        routes[phone] = nil
        for work in lines[phone]?.ordered ?? [] { end(work, of: phone) }
        lines[phone]?.ordered = []
        paidUntil[phone] = nil
        for index in servers.indices { online[index].remove(phone) }
    }

    private func serverState(_ isRegistered: Bool, _ index: Int) async {
        guard isRegistered else {
            online[index] = []
            heard.removeAll { $0.server == index }
            registered.remove(index)
            return
        }
        guard registered.insert(index).inserted else { return }
        await askAbout(Array(known), at: index)
    }

    /// A server that knows the question answers with a status; the others do no harm with it.
    private func askAbout(_ phones: [DID], at index: Int) async {
        for phone in phones { try? await servers[index].client.requestStatus(of: phone.text) }
    }

    private func arrived(_ id: String, at index: Int) {
        guard let phone = try? DID(id) else { return }
        guard isKnown(phone) else {
            heard.removeAll { $0.phone == phone && $0.server == index }
            heard = heard.suffix(Self.heardLimit - 1) + [(phone, index)]
            return
        }
        online[index].insert(phone)
    }

    private func left(_ id: String, at index: Int) {
        guard let phone = try? DID(id) else { return }
        online[index].remove(phone)
        heard.removeAll { $0.phone == phone && $0.server == index }
        // Events that it listens to would fill its mailbox. It asks again when it is back.
        if routes[phone]?.server == index { routes[phone] = nil }
    }

    // MARK: Commands

    private func take(_ event: SignalEvent, at index: Int, _ hands: Hands) async {
        switch event {
        case .message(let message) where message.kind == .message: await take(message, at: index, hands)
        case .peerOffline(let notice) where notice.messageType != "binary": left(notice.peerID, at: index)
        case .peerStatus(let status) where status.isOnline: arrived(status.peerID, at: index)
        case .peerStatus(let status): left(status.peerID, at: index)
        default: break
        }
    }

    private func take(_ message: ReceivedMessage, at index: Int, _ hands: Hands) async {
        guard let sender = message.from else { return }
        if !message.wasStored { arrived(sender, at: index) }
        guard let envelope = ClearEnvelope(message.payload) else { return }
        // An id that is no DID belongs to no device that could be paired.
        let phone = (try? DID(sender)).flatMap { isKnown($0) ? $0 : nil }
        do {
            switch envelope.value["type"]?.stringValue {
            case CommandRequest.type:
                let request = try CommandRequest(envelope: envelope.value)
                let size = envelope.value.roughByteCount
                let work = Work(request: request, sender: sender, envelope: envelope, server: index, size: size)
                guard let phone else {
                    // The gate refuses at once a device that is not paired here.
                    return await answer(work, hands)
                }
                await take(work, from: phone, wasKept: message.wasStored, hands)
            case CommandCancel.type:
                guard let phone else { return }
                await hands.cancel(try CommandCancel(envelope: envelope.value), phone, servers[index].kind)
            default: break
            }
        } catch {
            logger.notice("command in the clear not answered", metadata: ["reason": "\(error)"])
        }
    }

    private func take(_ work: Work, from phone: DID, wasKept: Bool, _ hands: Hands) async {
        var work = work
        if wasKept {
            guard hands.policy.mayQueue(work.request.method) else {
                return await send(Self.tooLate(work.request), for: work)
            }
            // The server kept it, so it is known to be old, and its time is not signed.
            if work.request.auth?.signature == nil { work.request.auth?.timestamp = nil }
        } else {
            routes[phone] = Route(server: work.server, isText: work.envelope.isText, form: work.request.form)
        }
        if hands.methods[work.request.method]?.isOrdered == true {
            guard lines[phone, default: Line()].ordered.count < Self.waitingLimit, hasRoom(for: work, of: phone) else {
                return await send(Self.busy(work.request), for: work)
            }
            begin(work, of: phone)
            lines[phone, default: Line()].ordered.append(work)
            guard lines[phone]?.isOrderedRunning == false else { return }
            lines[phone]?.isOrderedRunning = true
            commands.add { await self.runOrdered(of: phone, hands) }
            return
        }
        guard lines[phone, default: Line()].running < Self.runningLimit, running < Self.totalLimit,
            hasRoom(for: work, of: phone)
        else { return await send(Self.busy(work.request), for: work) }
        begin(work, of: phone)
        lines[phone, default: Line()].running += 1
        running += 1
        commands.add { [work] in
            await self.answer(work, hands)
            await self.finished(work, of: phone)
        }
    }

    /// One alone has room, however large it is.
    private func hasRoom(for work: Work, of phone: DID) -> Bool {
        let own = lines[phone]?.bytes ?? 0
        return (own == 0 || own + work.size <= Self.byteLimit)
            && (bytes == 0 || bytes + work.size <= Self.totalByteLimit)
    }

    private func begin(_ work: Work, of phone: DID) {
        lines[phone, default: Line()].bytes += work.size
        bytes += work.size
    }

    private func end(_ work: Work, of phone: DID) {
        lines[phone]?.bytes -= work.size
        bytes -= work.size
    }

    /// Runs a phone's typed input in the order it came in; the rest runs side by side.
    private func runOrdered(of phone: DID, _ hands: Hands) async {
        while let work = lines[phone]?.ordered.first {
            lines[phone]?.ordered.removeFirst()
            await answer(work, hands)
            end(work, of: phone)
        }
        lines[phone]?.isOrderedRunning = false
        tidy(phone)
    }

    private func finished(_ work: Work, of phone: DID) {
        end(work, of: phone)
        lines[phone]?.running -= 1
        running -= 1
        tidy(phone)
    }

    private func tidy(_ phone: DID) {
        if let line = lines[phone], line.running == 0, !line.isOrderedRunning { lines[phone] = nil }
    }

    private func answer(_ work: Work, _ hands: Hands) async {
        await send(await hands.answer(work.request, work.sender, servers[work.server].kind), for: work)
    }

    private func send(_ response: CommandResponse, for work: Work) async {
        let client = servers[work.server].client
        // A refusal must not show a stranger when this computer is online.
        let isPaired = (try? DID(work.sender)).map(isKnown) ?? false
        func message(_ response: CommandResponse) -> SignalMessage {
            let envelope = response.envelope(answering: work.request)
            return SignalMessage(
                to: work.sender,
                payload: work.envelope.payload(of: envelope),
                makesContact: isPaired
            )
        }
        do {
            do {
                try await client.send(message(response))
            } catch SignalError.messageTooLong(let bytes, let limit) {
                try await client.send(message(.tooLarge(response.id, bytes: bytes, limit: limit)))
            }
        } catch {
            logger.notice("command in the clear not answered", metadata: ["reason": "\(error)"])
        }
    }

    private static func tooLate(_ request: CommandRequest) -> CommandResponse {
        let text = "This computer was away when the command was sent, and it is too late for it now. Send it again."
        return CommandResponse(refusing: request.id, RemoteFailure(code: FailureCode.cancelled, message: text))
    }

    private static func busy(_ request: CommandRequest) -> CommandResponse {
        let text = "Too many commands of this device wait already. Wait for some of their answers."
        return CommandResponse(refusing: request.id, RemoteFailure(code: FailureCode.busy, message: text))
    }

    // MARK: Events

    private func route(to phone: DID) -> Route? {
        if let route = routes[phone] { return route }
        let here = servers.indices.filter { online[$0].contains(phone) }
        return here.max { servers[$0].kind < servers[$1].kind }.map { Route(server: $0, isText: false, form: .object) }
    }

    /// Sends an event where the phone asked from last, in the form of its request; waits while it was sent much lately. A phone that only
    /// registered, as existing ones do until a person opens something, is sent it where it is.
    ///
    /// - Throws: ``RemoteError/notConnected`` for a phone that is not here: events do not wait for it.
    func send(_ event: RemoteEvent, to phone: DID) async throws {
        guard route(to: phone) != nil else { throw RemoteError.notConnected }
        guard waitingEvents[phone, default: 0] < Self.eventLimit else {
            throw RemoteError.tooManyWaiting(limit: Self.eventLimit)
        }
        waitingEvents[phone, default: 0] += 1
        defer {
            waitingEvents[phone, default: 1] -= 1
            if waitingEvents[phone] == 0 { waitingEvents[phone] = nil }
        }
        try await pace(event.roughByteCount, to: phone)
        guard let route = route(to: phone) else { throw RemoteError.notConnected }
        let payload = ClearEnvelope.payload(of: event.envelope(form: route.form), isText: route.isText)
        do {
            try await servers[route.server].client.send(SignalMessage(to: phone.text, payload: payload))
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            if routes[phone]?.server == route.server { routes[phone] = nil }
            throw RemoteError.notConnected
        }
    }

    private func pace(_ bytes: Int, to phone: DID) async throws {
        let now = time.now
        let earliest = now - Self.burst
        let start = max(paidUntil[phone] ?? earliest, earliest)
        let end = start + .seconds(1) * bytes / Self.eventRate
        paidUntil[phone] = end
        if end > now { try await time.sleep(until: end, tolerance: nil) }
    }
}
