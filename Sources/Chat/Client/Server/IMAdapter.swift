public import Accounts
import AccountsClient
public import Chat
import Foundation
public import Kernel
public import Logging
public import Transport
public import WebClient

/// One account's way to its hub over the network: the socket for what is pushed and for short requests, HTTP for the rest and for everything while
/// the socket is not open. Documented name.
///
/// It reconnects by itself, after waits that grow; at once where the network changed, the machine woke up, or another request was answered.
public actor IMAdapter: ChatServer {
    /// The waits of a connection.
    public struct Timing: Sendable {
        /// For the socket's opening, and for the hub's first answer on it.
        public var open: Duration
        /// For the answer of a request.
        public var answer: Duration
        /// For a sign of life after the network changed.
        public var check: Duration
        /// Before another try.
        public var backoff: Backoff
        /// A connection that held for so long was a good one: the waits begin anew.
        public var settled: Duration
        /// Before a hub without chat is asked again.
        public var noChat: Duration

        public init(
            open: Duration = .seconds(10),
            answer: Duration = .seconds(20),
            check: Duration = .seconds(5),
            backoff: Backoff = Backoff(
                steps: [.milliseconds(500), .seconds(1), .seconds(2), .seconds(5), .seconds(10), .seconds(30)],
                jitter: 0.4
            ),
            settled: Duration = .seconds(10),
            noChat: Duration = .seconds(900)
        ) {
            self.open = open
            self.answer = answer
            self.check = check
            self.backoff = backoff
            self.settled = settled
            self.noChat = noChat
        }
    }

    /// The address of the socket below the hub's. Source: `docs/chat-server.md`, "The socket".
    static let socketPath = "/chat/socket"
    /// The requests that go over the socket. Those whose answers may not fit into a frame of ``ChatLimits/ownFrame`` bytes are not among them:
    /// a page of messages may have 4 MiB.
    private static let shortRequests: Set<FrameID> = [.send, .readSequences]

    /// How the hub is reached now.
    public nonisolated let reach = LatestValue(ChatReach.off, capacity: 4)
    nonisolated let requests: HubRequests
    private let user: UserID
    private let dial: ChatDialer
    private let network: (any NetworkWatch)?
    private let timing: Timing
    private let time: any TimeSource
    private let logger: Logger
    private nonisolated let nudges = Broadcaster<Void>(capacity: 1)
    private var socket: HubSocket?
    private var isFollowed = false
    /// The connection was ended because the network changed: the next one is made without a wait.
    private var wasDoubted = false

    /// - Parameters:
    ///   - hub: The hub's address; its path is not used.
    ///   - user: The account's person.
    ///   - dial: Opens the socket.
    ///   - network: Tells when this device comes into another network; nil leaves that out.
    public init(
        hub: WebURL,
        user: UserID,
        tokens: any AccessTokenSource,
        web: any WebClient,
        dial: @escaping ChatDialer = ChatDialing.dialer(),
        network: (any NetworkWatch)? = nil,
        timing: Timing = Timing(),
        time: any TimeSource = .system,
        logger: Logger
    ) {
        requests = HubRequests(hub: hub, web: web, tokens: tokens)
        self.user = user
        self.dial = dial
        self.network = network
        self.timing = timing
        self.time = time
        self.logger = logger
    }

    /// Makes the next try come at once.
    public nonisolated func hurry() { nudges.send(()) }

    // MARK: Requests

    public nonisolated func ask<Request, Answer>(
        _ endpoint: ChatEndpoint<Request, Answer>,
        _ request: Request
    ) async throws(ChatError) -> Answer {
        if let frame = endpoint.frame, Self.shortRequests.contains(frame) || frame == .subscribePresence {
            if let socket = await socket, let data = try await socket.ask(frame, request.wire, within: timing.answer) {
                return try Answer(wire: data)
            }
            // Presence is told to the connection that asked for it.
            if frame == .subscribePresence { throw .unreachable }
        }
        let answer = try await requests.ask(endpoint, request)
        // The hub is there and has chat, so the socket need not wait any longer.
        switch reach.value {
        case .away, .noChat: hurry()
        case .off, .connecting, .live, .ended: break
        }
        return answer
    }

    // MARK: The connection

    public func follow(_ receive: @escaping @Sendable (ChatServerNews) async -> Void) async {
        guard !isFollowed else { return logger.error("a chat connection has one follower") }
        isFollowed = true
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.watchSurroundings() }
            group.addTask { await self.stayConnected(receive) }
            _ = await group.next()
            group.cancelAll()
        }
        isFollowed = false
        if reach.value != .ended { reach.set(.off) }
    }

    /// Ends only when it is cancelled.
    private func watchSurroundings() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in SuspensionWatch.resumes() { await self.doubt() } }
            if let network {
                group.addTask { for await _ in network.changes() { await self.doubt() } }
            }
            await group.waitForAll()
            // Where nothing tells of changes the connection goes on all the same.
            while await time.pause(for: .seconds(3600)) {}
        }
    }

    /// The way to the hub may be another one now.
    private func doubt() async {
        hurry()
        guard let socket else { return }
        // Before the check, which ends the connection before it returns.
        wasDoubted = true
        if await socket.check(within: timing.check) { wasDoubted = false }
    }

    private func stayConnected(_ receive: @escaping @Sendable (ChatServerNews) async -> Void) async {
        var backoff = timing.backoff
        /// A new token was tried already since the last good connection.
        var hasRenewed = false
        while !Task.isCancelled {
            reach.set(.connecting)
            let began = time.now
            let outcome = await connection(receive)
            guard !Task.isCancelled else { return }
            let isSettled = time.now - began >= timing.settled
            if isSettled { (hasRenewed, backoff) = (false, timing.backoff) }
            switch outcome {
            case .ended:
                reach.set(.ended)
                return await receive(.ended)
            case .renewed where !hasRenewed:
                hasRenewed = true
                continue
            case .lost(let isUsable) where isUsable && wasDoubted:
                wasDoubted = false
                continue
            case .noChat:
                note(.noChat, "the hub has no chat")
                guard await rest(timing.noChat) else { return }
            case .failed(let reason):
                note(.away(reason: reason), reason)
                guard await rest(backoff.next()) else { return }
            case .lost, .renewed:
                note(.away(reason: "\(ChatError.unreachable)"), "the connection ended")
                guard await rest(backoff.next()) else { return }
            }
        }
    }

    /// How one try went.
    private enum Outcome {
        /// - Parameter isUsable: The hub had taken the connection.
        case lost(isUsable: Bool)
        /// The hub did not take the token, and there is another one now.
        case renewed
        case failed(reason: String)
        case noChat
        case ended
    }

    private func connection(_ receive: @escaping @Sendable (ChatServerNews) async -> Void) async -> Outcome {
        let (token, peer): (String, any WebSocketPeer)
        do {
            token = try await requests.token()
            let limit = timing.open
            let url = try socketURL()
            peer = try await withTimeout(limit, on: time, throwing: WebSocketError.timedOut(after: limit)) {
                [dial, token] in try await dial(url, token)
            }
        } catch ChatError.noAccount {
            return .ended
        } catch WebSocketError.refused(status: 404), WebSocketError.notAWebSocketServer, ChatError.noChat {
            // Only an answer says so: a hub that ends within the opening is tried again soon.
            return .noChat
        } catch {
            return .failed(reason: "\(error)")
        }
        let socket = HubSocket(peer, time: time)
        self.socket = socket
        let taken = LatestValue(false)
        let end = await socket.run(takenWithin: timing.open) { [reach] news in
            if case .connected = news {
                taken.set(true)
                reach.set(.live)
            }
            await receive(news)
        }
        self.socket = nil
        if taken.value, !Task.isCancelled { await receive(.lost) }
        return await outcome(of: end, isUsable: taken.value, token)
    }

    private func outcome(of end: HubSocket.End, isUsable: Bool, _ token: String) async -> Outcome {
        switch end {
        case .lost: return .lost(isUsable: isUsable)
        case .violated: return .failed(reason: "\(ChatError.malformed("frame"))")
        case .refused(let failure) where !failure.code.isAboutToken: return .failed(reason: "\(ChatError(failure))")
        case .kicked, .refused:
            // The hub's word alone does not sign a person out: a session that is over has no other token.
            do throws(ChatError) {
                _ = try await requests.token(replacing: token)
                return .renewed
            } catch .noAccount {
                return .ended
            } catch {
                return .failed(reason: "\(error)")
            }
        }
    }

    private func socketURL() throws(ChatError) -> URL {
        let base = requests.hub.base
        let web = requests.hub.isSecure ? "https" : "http"
        let text = (requests.hub.isSecure ? "wss" : "ws") + base.dropFirst(web.count)
        guard let url = URL(string: "\(text)\(Self.socketPath)?sendID=\(user.imUserID)") else {
            throw .malformed("hub")
        }
        return url
    }

    /// Tells each time that the hub takes a connection.
    nonisolated func reaches() -> AsyncStream<Void> {
        let (moments, moment) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let following = Task { [reach] in
            for await reach in reach.values() where reach == .live { moment.yield(()) }
            moment.finish()
        }
        moment.onTermination = { _ in following.cancel() }
        return moments
    }

    private func note(_ reach: ChatReach, _ reason: String) {
        self.reach.set(reach)
        logger.debug("chat not connected", metadata: ["reason": "\(reason)"])
    }

    /// Waits before the next try, or until something says that it may work now.
    ///
    /// - Returns: False when cancelled.
    private func rest(_ wait: Duration) async -> Bool {
        let deadline = time.now + wait
        let nudges = nudges.subscribe()
        return await withTaskGroup(of: Bool?.self) { [time] group in
            group.addTask { await time.pause(until: deadline) }
            group.addTask {
                for await _ in nudges { return true }
                return nil
            }
            defer { group.cancelAll() }
            for await result in group { if let result { return result && !Task.isCancelled } }
            return false
        }
    }
}
