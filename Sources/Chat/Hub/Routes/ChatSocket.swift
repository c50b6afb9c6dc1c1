import Accounts
import AccountsHub
import Chat
import Kernel
import Logging
import Metrics
import Transport

/// The socket of a person's device: what is pushed to it, and requests by their numbers. Frames are JSON texts. Source: `docs/chat-server.md`,
/// "The socket".
struct ChatSocket: Sendable {
    static let path = "/chat/socket"
    /// Why a connection is closed whose session was ended.
    private static let kickedReason = "signed out"
    /// Messages of a socket that are on their way to the disk. Those of one commit are answered in one write.
    private static let messagesUnderWay: UInt64 = 16

    let service: ChatService
    let accounts: Accounts
    let requests: [FrameID: ServedRequest]
    let gate: RequestGate
    let media: ShownMedia
    let logger: Logger
    /// Connections that are being closed because their sessions were ended. Each ends by itself, within the limit of a close.
    private let kicks = OwnedTasks()

    init(
        service: ChatService,
        accounts: Accounts,
        requests: [ServedRequest],
        gate: RequestGate,
        media: ShownMedia,
        logger: Logger
    ) {
        self.service = service
        self.accounts = accounts
        self.gate = gate
        self.media = media
        self.logger = logger
        // The documented requests have no numbers: on the socket a message is sent as to existing gateways.
        let numbered = requests.compactMap { request in request.frame.map { ($0, request) } }
        self.requests = Dictionary(numbered, uniquingKeysWith: { first, _ in first })
    }

    /// - Throws: `RouteError`.
    func route() throws -> WebSocketRoute {
        try WebSocketRoute(
            Self.path,
            maximumMessageBytes: ChatLimits.ownFrame,
            entering: { [self] peer, request in await enter(peer, request) },
            serving: { [self] peer, asker in try await serve(peer, asker) }
        )
    }

    /// Finds out who is there. Browsers cannot set a header on a WebSocket, so the token may stand in the query, as existing clients have it.
    ///
    /// - Returns: Nil for a connection that was refused.
    private func enter(_ peer: any WebSocketPeer, _ request: RouteRequest) async -> Asker? {
        do {
            var found = await accounts.asker(of: request)
            if let token = request.query("token") { found = await accounts.asker(showing: token) }
            let asker = try found.get()
            if let sender = request.query("sendID") {
                guard let person = UserID(imUserID: sender) else { throw AccountsError.othersAccount }
                try asker.check(is: person)
            }
            return asker
        } catch {
            await refuse(peer, error)
            return nil
        }
    }

    private func serve(_ peer: any WebSocketPeer, _ asker: Asker) async throws {
        let id: UInt64
        do {
            id = try service.connections.connect(asker.chat) { deliveries in
                for delivery in deliveries {
                    do {
                        try await peer.send(text: try await frame(of: delivery, to: asker.person))
                    } catch {
                        return false
                    }
                }
                return true
            }
        } catch {
            return await refuse(peer, error)
        }
        defer { service.connections.disconnect(id) }
        // A watcher and no task that waits: most sockets are idle, and a task is the most of what one costs.
        let watch = accounts.watch(asker) {
            kicks.add {
                try? await peer.send(text: SyncFrame.Response(.kicked).canonicalBytes)  // gone already: as well
                await peer.close(.policyViolation, reason: Self.kickedReason)
            }
        }
        defer { watch.cancel() }
        try await read(peer, connection: id, of: asker)
    }

    private func frame(of delivery: ChatDelivery, to person: UserID) async throws -> [UInt8] {
        if case .push(let push) = delivery, case .message(let message) = push.change,
            let frame = MessageFrame.bytes(of: message)
        {
            return frame
        }
        return try await SyncFrame.Response(delivery, to: person, media: media).canonicalBytes
    }

    private func refuse(_ peer: any WebSocketPeer, _ error: any Error) async {
        let frame = failed(error)
        try? await peer.send(text: frame.canonicalBytes)  // nobody is there to be told
        await peer.close(.policyViolation, reason: frame.code.name)
    }

    /// One request after the other, but for messages, which need not wait for each other's commit: up to ``messagesUnderWay`` are. Who asks for
    /// much waits for it, and the socket is not read meanwhile.
    private func read(_ peer: any WebSocketPeer, connection: UInt64, of asker: Asker) async throws {
        // Made with the first message: most sockets are idle.
        var answers: PipelinedAnswers?
        do {
            for try await message in peer.messages {
                guard try await take(message, from: peer, connection, of: asker, &answers) else { break }
            }
        } catch {
            await answers?.close()
            throw error
        }
        await answers?.close()
    }

    /// Takes one message of the socket. In a function of its own, never within ``read(_:connection:of:)``: what it needs while it works is several times
    /// what an idle socket keeps.
    ///
    /// - Returns: Whether more is read.
    @inline(never)
    private func take(
        _ message: WebSocketMessage,
        from peer: any WebSocketPeer,
        _ connection: UInt64,
        of asker: Asker,
        _ answers: inout PipelinedAnswers?
    ) async throws -> Bool {
        guard case .text(let text) = message else {
            await answers?.wait(for: 0)
            await answers?.close()
            await peer.close(.init(rawValue: 1003), reason: "frames are JSON texts")
            return false
        }
        let request: SyncFrame.Request
        do {
            guard case .request(let read) = try SyncFrame(text: text) else { return true }
            request = read
        } catch {
            await answers?.wait(for: 0)
            try await peer.send(text: failed(error).canonicalBytes)
            return true
        }
        guard accounts.isOpen(asker) else { return false }
        if request.id == .send, let served = requests[.send] {
            let line = answers ?? answersInOrder(to: peer)
            answers = line
            await line.wait(for: Self.messagesUnderWay - 1)
            await begin(served, request, connection, of: asker, line)
            return true
        }
        await answers?.wait(for: 0)
        try await peer.send(text: await answer(request, connection, of: asker).canonicalBytes)
        guard request.id == .logout else { return true }
        await answers?.close()
        await peer.close(.normal, reason: "")
        return false
    }

    private func failed(_ error: any Error) -> SyncFrame.Response {
        let failure = IMRefusal(error).failure
        return SyncFrame.Response(.error, code: failure.code, message: failure.detail)
    }

    private func answersInOrder(to peer: any WebSocketPeer) -> PipelinedAnswers {
        PipelinedAnswers { responses in
            for response in responses {
                // Nobody is there to be told: the reader finds that out by itself.
                try? await peer.send(text: response.canonicalBytes)
            }
        }
    }

    /// Begins to send a message. One that has to be waited for is waited for here, behind those before it.
    private func begin(
        _ served: ServedRequest,
        _ request: SyncFrame.Request,
        _ connection: UInt64,
        of asker: Asker,
        _ answers: PipelinedAnswers
    ) async {
        let done = answers.begin()
        let empty = SyncFrame.Response(request.id, increment: request.increment, operation: request.operation)
        do {
            let isBegun = try gate.begin(served, request.data, asker) { outcome in
                var response = empty
                switch outcome {
                case .success(let data): response.data = data
                case .failure(let error): refuse(&response, error)
                }
                done(response)
            }
            if isBegun { return }
        } catch {
            var response = empty
            refuse(&response, error)
            return done(response)
        }
        await answers.wait(for: 1)
        done(await answer(request, connection, of: asker))
    }

    private func answer(
        _ request: SyncFrame.Request,
        _ connection: UInt64,
        of asker: Asker
    ) async -> SyncFrame.Response {
        var response = SyncFrame.Response(request.id, increment: request.increment, operation: request.operation)
        do {
            response.data = try await result(of: request, connection, for: asker)
        } catch {
            refuse(&response, error)
        }
        return response
    }

    private func refuse(_ response: inout SyncFrame.Response, _ error: any Error) {
        let refusal = IMRefusal(error)
        if refusal.isOwnFault {
            logger.error(
                "a frame was not answered",
                metadata: ["id": "\(response.id.rawValue)", "reason": "\(error)"]
            )
        }
        (response.code, response.message) = (refusal.failure.code, refusal.failure.detail)
    }

    private func result(
        of request: SyncFrame.Request,
        _ connection: UInt64,
        for asker: Asker
    ) async throws -> JSONValue {
        switch request.id {
        case .background, .logout: return [:]
        case .subscribePresence:
            try gate.pass(asker)
            let watched = try WatchedPeople(wire: request.data).people
            let online = try await service.watchPresence(of: watched, on: connection, for: asker.chat)
            return OnlineStatuses(watched.map { OnlineStatuses.Status(person: $0, isOnline: online.contains($0)) }).wire
        default:
            guard let served = requests[request.id] else { throw ChatHubError.malformed("reqIdentifier") }
            return try await gate.answer(served, request.data, asker)
        }
    }
}
