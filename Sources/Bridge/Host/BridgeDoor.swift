import Bridge
import CommandServer
import Commands
import Foundation
import Kernel
import Logging
import Principals
import Rights
import Synchronization
import Transport

/// The bridge's door: lets in who shows a token, and hands what they ask to the one way to every method. Before that nothing but a Hello is
/// looked at. Source: `docs/protocol.md` 2.8, "The bridge".
final class BridgeDoor: Sendable {
    /// The time in which the first message has to come, whole.
    static let helloTime = Duration.seconds(10)
    /// The time between two pings.
    static let pingInterval = Duration.seconds(25)
    /// Pings in a row that a client may leave unanswered.
    static let missLimit = 2
    /// Requests of one socket that run at a time.
    static let commandLimit = 16
    /// The memory that these take together, in bytes, as ``RunningRequests`` counts.
    static let commandBytes = 16 << 20
    /// Sockets that proved themselves: of one token, the oldest of which gives way, and in all.
    static let socketLimit = 8
    static let totalSocketLimit = 64
    /// The token that documented programs have built in. It proves nothing, so only this machine may use it, if the owner asked for that.
    static let developersToken = "OA_DEV_TOKEN"

    struct Dependencies: Sendable {
        let tokens: BridgeTokens
        let codes: BridgeCodes
        let places: BridgePlaces
        let callers: OpenCallers
        let takesDevelopersToken: Bool
        /// Whether a connection of this machine is of a program of this process's user. May block.
        let isOwn: @Sendable (LoopbackPeer) -> Bool
        /// Shows the owner that a device got its token.
        let notifier: (any DesktopNotifier)?
        let time: any TimeSource
        let logger: Logger
    }

    private struct State {
        var guesses = BridgeDoor.guesses
        /// In the order they came.
        var sockets: [BridgeSocket] = []
        var refused: [String: Int] = [:]
        var logging: TokenBucket?
        /// The limit on sockets that begin a sealed session: each costs four key agreements, whoever asks.
        var handshakes: TokenBucket?
    }

    private let dependencies: Dependencies
    private let access: CommandAccess
    /// Names of methods by the same in lower case: types of messages are told without regard to it.
    private let methods: [String: String]
    private let state = Mutex(State())
    /// Devices that got a token for a code, for ``tellOwner()``.
    private let newcomers: AsyncStream<BridgeTokens.Token>
    private let newcomer: AsyncStream<BridgeTokens.Token>.Continuation
    private let number = Atomic<UInt64>(0)
    /// The queue for finding out the owner of a connection.
    private let looks = BlockingWork("tandem.peers", width: 1)

    private var time: any TimeSource { dependencies.time }
    private var logger: Logger { dependencies.logger }

    init(_ dependencies: Dependencies, access: CommandAccess) {
        self.dependencies = dependencies
        self.access = access
        (newcomers, newcomer) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(BridgeCodes.countLimit))
        methods = Dictionary(
            access.methods.flatMap(\.allNames).map { ($0.lowercased(), $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    // MARK: What is told of it

    var refused: [String: Int] { state.withLock(\.refused) }
    var socketCount: Int { state.withLock(\.sockets.count) }
    func socketCount(of token: String) -> Int {
        state.withLock { $0.sockets.count(where: { $0.bearer?.tokenID == token }) }
    }

    func note(refused word: String) { state.withLock { $0.refused[word, default: 0] += 1 } }

    /// Five wrong tokens in a minute from one address close the door to it, sixty from all addresses to all that showed none that holds.
    static var guesses: GuessThrottle {
        func limits(_ failures: Int) -> GuessThrottle.Limits {
            .init(failures: failures, within: .seconds(60), firstWait: .seconds(10), longestWait: .seconds(900))
        }
        return GuessThrottle(each: limits(5), all: limits(60))
    }

    /// How long an address has to wait before it may try again; nil where it may.
    func wait(of address: NetworkAddress?) -> Duration? {
        state.withLock { $0.guesses.wait(of: address.guessSource, now: time.now) }
    }

    // MARK: Rights

    /// The rights that a bearer has now: none once its token is taken back.
    private func rights(of bearer: BridgeBearer) -> Set<Right> {
        guard let id = bearer.tokenID else { return access.rights.initialForTokens }
        return dependencies.tokens[id]?.rights.intersection(access.rights.forTokens) ?? []
    }

    private func isKnown(_ bearer: BridgeBearer) -> Bool {
        bearer.tokenID.map { dependencies.tokens[$0] != nil } ?? true
    }

    /// Closes what a token has open, and ends what it kept going. What it asked for is not answered any more.
    func revoke(_ token: BridgeTokens.Token) async {
        let sockets = state.withLock { $0.sockets.filter { $0.bearer?.tokenID == token.id } }
        await access.router.revoke(token.callerID)
        for keeper in access.keepers { await keeper.revoke(token.rights, of: token.callerID, keeping: []) }
        await withDiscardingTaskGroup { group in
            for socket in sockets {
                group.addTask { await socket.peer.close(.tokenRevoked, reason: "this token was taken back") }
            }
        }
    }

    // MARK: One socket

    /// Serves a socket until it ends.
    func serve(_ peer: any WebSocketPeer, from client: String?, hasOrigin: Bool) async {
        let address = client.flatMap { NetworkAddress(text: $0) }
        let socket = BridgeSocket(peer, address: address, hasOrigin: hasOrigin) { [weak self] in
            self?.rights(of: $0) ?? []
        }
        let helloDeadline = time.now + Self.helloTime
        await withDiscardingTaskGroup { group in
            group.addTask { await self.watch(socket, until: helloDeadline) }
            await read(socket)
            group.cancelAll()
        }
        socket.link?.end()
        state.withLock { state in state.sockets.removeAll { $0 === socket } }
        if let bearer = socket.bearer { dependencies.callers.remove(socket, of: bearer.callerID) }
    }

    /// Ends a socket that says nothing, and later one that does not answer.
    ///
    /// - Parameter helloDeadline: By when it has to have proven itself.
    private func watch(_ socket: BridgeSocket, until helloDeadline: ContinuousClock.Instant) async {
        guard await time.pause(until: helloDeadline) else { return }
        guard socket.isProven else {
            note(refused: "silence")
            return await socket.peer.close(.helloMissing, reason: "no Hello came")
        }
        struct Missed: Error {}
        var misses = 0
        while true {
            if misses == 0 { guard await time.pause(for: Self.pingInterval) else { return } }
            do {
                try await withTimeout(Self.pingInterval, on: time, throwing: Missed()) { try await socket.peer.ping() }
                misses = 0
            } catch is Missed {
                misses += 1
                guard misses < Self.missLimit else { return socket.peer.abort() }
            } catch {
                return
            }
        }
    }

    private func read(_ socket: BridgeSocket) async {
        await withTaskGroup(of: Int.self) { group in
            var running = RunningRequests(countLimit: Self.commandLimit, byteLimit: Self.commandBytes)
            // Whether the last request without an id is answered: those are told apart by their order alone.
            var last: LatestValue<Bool>?
            for await message in socket.peer.messages {
                if let link = socket.link {
                    link.deliver(message.bytes)
                    continue
                }
                guard let bearer = socket.bearer else {
                    guard await greet(socket, message.bytes) else { return }
                    continue
                }
                switch BridgeMessage(message.bytes) {
                case .ping?:
                    // One that is gone ends the messages, too.
                    try? await socket.send(BridgeMessage.pong.bytes)
                case .envelope(let type, let data)?:
                    guard let request = BridgeRequest(type: type, data: data) else {
                        logger.debug(
                            "bridge message of an unknown type ignored",
                            metadata: ["device": "\(bearer.name)"]
                        )
                        continue
                    }
                    let size = request.params.roughByteCount
                    while !running.hasRoom(for: size), let ended = await group.next() { running.end(ended) }
                    running.begin(size)
                    let previous = last
                    let done = request.id == nil ? LatestValue(false) : nil
                    last = done ?? last
                    group.addTask {
                        await self.answer(request, of: bearer, on: socket, after: done == nil ? nil : previous)
                        done?.set(true)
                        return size
                    }
                case .pong?, .helloAck?: break
                case nil:
                    logger.debug("bridge message ignored: no JSON with a type", metadata: ["device": "\(bearer.name)"])
                }
            }
        }
    }

    /// - Parameter previous: What has to be answered before.
    private func answer(
        _ request: BridgeRequest,
        of bearer: BridgeBearer,
        on socket: BridgeSocket,
        after previous: LatestValue<Bool>?
    ) async {
        var response = BridgeResponse(request.method, id: request.id, outcome: .failure(Self.unknownMethod))
        if let method = methods[request.method] {
            // Ids of one socket may be those of another, which counts from one too.
            let number = number.add(1, ordering: .relaxed).newValue
            let command = CommandRequest(id: "bridge-\(number)", method: method, params: request.params)
            let caller = Caller(id: bearer.callerID, name: bearer.name, proof: .token, rights: rights(of: bearer))
            // The computer's program ends: what still runs for the socket ends with it.
            let answer = await withTaskCancellationHandler {
                await access.router.answer(command, from: caller)
            } onCancel: {
                Task { [access] in await access.router.cancel(CommandCancel(id: command.id), from: caller) }
            }
            response.method = method
            response.outcome = answer.outcome.mapError { BridgeFailure(code: $0.code, message: $0.message) }
        }
        if let previous { for await isDone in previous.values() where isDone { break } }
        var bytes = response.message.bytes
        if bytes.count > BridgeSocket.messageLimit {
            let message = "\(RemoteError.resultTooLarge(bytes: bytes.count, limit: BridgeSocket.messageLimit))"
            response.outcome = .failure(BridgeFailure(code: FailureCode.quota, message: message))
            bytes = response.message.bytes
        }
        if case .failure(let failure) = response.outcome, request.id == nil {
            // A documented client knows of no errors, and would take this for its list.
            return logger.debug("bridge request not answered", metadata: ["code": "\(failure.code)"])
        }
        // For a token that was taken back meanwhile, the end of its socket says all there is to say.
        guard isKnown(bearer) else { return }
        do {
            try await socket.send(bytes)
        } catch {
            logger.debug("bridge request not answered", metadata: ["reason": "\(error)"])
        }
    }

    private static let unknownMethod = BridgeFailure(
        code: FailureCode.unknownMethod,
        message: "This computer serves no such method."
    )

    // MARK: Hello

    /// - Returns: Whether the socket proved itself; it is closed otherwise.
    private func greet(_ socket: BridgeSocket, _ bytes: [UInt8]) async -> Bool {
        if wait(of: socket.address) != nil {
            await refuse(socket, "guesses", .tooMuch, "too many wrong tokens, wait")
            return false
        }
        if let frame = BridgeLink.opening(bytes) { return await serve(frame, asLinkOn: socket) }
        guard bytes.count <= BridgeHello.byteLimit, let hello = BridgeHello(bytes) else {
            // Match an empty token: a missing Hello costs the same work as a wrong token.
            _ = dependencies.tokens.match("", now: time.date)
            await refuse(socket, "hello", .policyViolation, "the first message is Hello")
            return false
        }
        let found: (bearer: BridgeBearer, next: String?)?
        switch hello.proof {
        case .token(let text): found = await bearer(showing: text, hello, on: socket)
        case .code(let text, let name): found = await bearer(using: text, name: name, at: socket.address)
        }
        guard let found else {
            let now = time.now
            state.withLock { $0.guesses.fail(socket.address.guessSource, now: now) }
            await refuse(socket, "token", .wrongToken, "this token or code is not known here")
            return false
        }
        state.withLock { $0.guesses.succeed(socket.address.guessSource) }
        return await welcome(socket, found.bearer, hello, next: found.next)
    }

    /// A paired phone may come here, too: the socket is one of its ways from then on, and its session proves who it is.
    private func serve(_ frame: LinkFrame, asLinkOn socket: BridgeSocket) async -> Bool {
        let ticks = time.ticks
        let (isFull, isTooOften) = state.withLock { state in
            var bucket = state.handshakes ?? TokenBucket(capacity: 32, refillPerSecond: 8, now: ticks)
            defer { state.handshakes = bucket }
            return (state.sockets.count >= Self.totalSocketLimit, !bucket.take(now: ticks))
        }
        guard !isFull, !isTooOften else {
            await refuse(socket, isFull ? "sockets" : "handshakes", .tooMuch, "too many, wait")
            return false
        }
        let connection = socket.peer as? WebSocketConnection
        let link = BridgeLink(socket.peer) { [weak self, weak socket] in
            guard let self, let socket else { return }
            if let connection {
                connection.takeLargeMessages()
                dependencies.places.leave(connection.channelID)
            }
            state.withLock { $0.sockets.append(socket) }
        }
        socket.become(link)
        await access.accept(link)
        link.deliver(frame)
        return true
    }

    private func bearer(showing text: String, _ hello: BridgeHello, on socket: BridgeSocket) async
        -> (BridgeBearer, next: String?)?
    {
        let isDevelopers = text == Self.developersToken
        let token = dependencies.tokens.match(text, now: time.date)
        if isDevelopers {
            // A page that made a name lead to this machine comes from it, too.
            let isProgram = socket.address.isLoopback && !socket.hasOrigin
            guard dependencies.takesDevelopersToken, isProgram, await isOwn(socket) else { return nil }
            return (.developer, nil)
        }
        guard let token else { return nil }
        let next = hello.takesNextToken ? dependencies.tokens.next(for: token.id, now: time.date) : nil
        // A token that is told has to be known after a crash as well.
        let isNoted = await note(token, at: socket.address)
        return (BridgeBearer(tokenID: token.id, name: token.name), isNoted ? next : nil)
    }

    /// Whether it is a program of this account: any account of this machine reaches a port of loopback, and this token is no secret.
    private func isOwn(_ socket: BridgeSocket) async -> Bool {
        guard let peer = (socket.peer as? WebSocketConnection)?.loopbackPeer else { return false }
        // A look that is not made, since too many wait or the socket ends, tells nothing good.
        return (try? await looks.run { [dependencies] in dependencies.isOwn(peer) }) ?? false
    }

    /// - Returns: Whether the disk knows of the visit.
    private func note(_ token: BridgeTokens.Token, at address: NetworkAddress?) async -> Bool {
        do {
            try await dependencies.tokens.note(token.id, from: address.limitKey, now: time.date)
            return true
        } catch {
            logger.error("visit of a bridge device not noted", metadata: ["reason": "\(error)"])
            return false
        }
    }

    private func bearer(using code: String, name: String, at address: NetworkAddress?) async
        -> (BridgeBearer, next: String?)?
    {
        guard let given = dependencies.codes.take(code) else { return nil }
        do {
            let (token, text) = try await dependencies.tokens.add(
                name: given.name.flatMap { $0.isEmpty ? nil : $0 } ?? name,
                rights: given.rights,
                now: time.date
            )
            logger.notice("a bridge device got a token", metadata: ["device": "\(token.name)", "id": "\(token.id)"])
            // The owner sees from where it was taken. Where that is not written down, it was given all the same.
            _ = await note(token, at: address)
            given.outcome.set(.given(token.id))
            newcomer.yield(token)
            return (BridgeBearer(tokenID: token.id, name: token.name), text)
        } catch {
            given.outcome.set(.over)
            logger.error("no token was made for a code", metadata: ["reason": "\(error)"])
            return nil
        }
    }

    /// Shows the owner each device that got its token, until it is cancelled. Beside the sockets, because a notification service that hangs
    /// takes longer to say so than a device waits for its HelloAck.
    func tellOwner() async {
        guard let notifier = dependencies.notifier else { return }
        for await token in newcomers {
            // Without a desktop session the log says it all the same.
            try? await notifier.notify(
                "\(token.name) was added to the bridge",
                "Was that not you? Take it back: tandem bridge token revoke \(token.id)"
            )
        }
    }

    private func welcome(_ socket: BridgeSocket, _ bearer: BridgeBearer, _ hello: BridgeHello, next: String?) async
        -> Bool
    {
        socket.prove(bearer)
        let (isFull, oldest): (Bool, BridgeSocket?) = state.withLock { state in
            let own = state.sockets.filter { $0.bearer?.callerID == bearer.callerID }
            guard own.count >= Self.socketLimit || state.sockets.count < Self.totalSocketLimit else {
                return (true, nil)
            }
            state.sockets.append(socket)
            return (false, own.count >= Self.socketLimit ? own.first : nil)
        }
        guard !isFull else {
            await refuse(socket, "sockets", .tooMuch, "too many sockets")
            return false
        }
        if let connection = socket.peer as? WebSocketConnection { dependencies.places.leave(connection.channelID) }
        var ack = BridgeHelloAck(token: "")
        if hello.version >= BridgeHello.ownVersion {
            ack.details = .init(
                deviceID: bearer.tokenID ?? "developer",
                serverName: access.name,
                protocolVersion: BridgeHello.ownVersion,
                nextToken: next
            )
        } else if case .token(let text) = hello.proof {
            ack.token = text
        }
        do {
            try await socket.send(BridgeMessage.helloAck(ack).bytes)
        } catch {
            return false
        }
        dependencies.callers.add(socket, of: bearer.callerID)
        logger.info("a bridge device connected", metadata: ["device": "\(bearer.name)", "id": "\(bearer.callerID)"])
        // A token that was taken back while it was shown has no rights any more, and its socket ends like the others.
        if let id = bearer.tokenID, dependencies.tokens[id] == nil {
            await socket.peer.close(.tokenRevoked, reason: "this token was taken back")
            return false
        }
        oldest?.letGo(.tooMuch, reason: "too many sockets with this token")
        return true
    }

    private func refuse(_ socket: BridgeSocket, _ word: String, _ code: WebSocketCloseCode, _ reason: String) async {
        let ticks = time.ticks
        let isLogged = state.withLock { state in
            state.refused[word, default: 0] += 1
            var bucket = state.logging ?? TokenBucket(capacity: 10, refillPerSecond: 0.1, now: ticks)
            defer { state.logging = bucket }
            return bucket.take(now: ticks)
        }
        if isLogged {
            logger.notice(
                "bridge client refused",
                metadata: ["address": "\(socket.address.limitKey)", "reason": "\(reason)"]
            )
        }
        await socket.peer.close(code, reason: reason)
    }
}
