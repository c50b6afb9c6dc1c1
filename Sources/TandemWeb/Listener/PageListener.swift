import CommandClient
import Commands
import Foundation
import HTTPTypes
import HummingbirdCore
import Kernel
import Logging
import NIOCore
import NIOPosix
import RouteServer
import Synchronization
import Transport

/// The page's port: connections of this user's programs, requests of the page itself, and routes behind its sign-in.
final class PageListener: Sendable {
    static let socketLimit = 16
    private static let connectionLimit = 64
    /// Connections that wait to be taken.
    private static let backlog = 64
    /// Long enough for every download; a connection without a request ends after half a minute.
    private static let lifetime = Duration.seconds(86_400)
    private static let headTime = Duration.seconds(10)

    private let configuration: PageConfiguration
    private let place: PageConfiguration.Place
    private let signIn: SignIn
    private let assets: AssetTable
    private let logger: Logger

    init(
        _ configuration: PageConfiguration,
        at place: PageConfiguration.Place,
        signIn: SignIn,
        assets: AssetTable,
        logger: Logger
    ) {
        self.configuration = configuration
        self.place = place
        self.signIn = signIn
        self.assets = assets
        self.logger = logger
    }

    /// Serves until its task is cancelled.
    ///
    /// - Parameters:
    ///   - bound: Told the port once it is listened on.
    /// - Throws: ``PageError/cannotListen(role:address:port:reason:)``.
    func run(http: [HTTPRoute], webSockets: [WebSocketRoute], bound: @Sendable (Int) -> Void) async throws {
        var options = WebSocketListener.Options()
        options.handshakeTimeout = Self.headTime
        options.backlog = Self.backlog
        let listener = try WebSocketListener(tls: nil, options: options)
        let door = LatestValue<Door?>(nil)
        let (sockets, connections) = (sockets(through: door), connections(through: door))
        let channel: any Channel
        do {
            channel = try await listener.bind(
                host: place.address,
                port: place.port,
                group: MultiThreadedEventLoopGroup.singleton,
                admit: { [configuration, logger] channel in
                    let peer = LoopbackPeer(remote: channel.remoteAddress, local: channel.localAddress)
                    if let peer, configuration.isOwn(peer) { return true }
                    logger.notice("a program of another user asked for the page and was refused")
                    return false
                },
                routes: .init(
                    upgrade: { request, channel in
                        guard let door = door.value, let (route, parameters) = door.table.webSocket(request.path) else {
                            return .refuse(response: Self.refusal(404, "Not Found"))
                        }
                        return sockets.accept(request, channel, route, parameters)
                    },
                    http: { connections.accept($0) }
                )
            )
        } catch {
            throw PageError.cannotListen(
                role: configuration.role,
                address: place.address,
                port: place.port,
                reason: (error as? IOError).map { String(cString: strerror($0.errnoCode)).lowercased() } ?? "\(error)"
            )
        }
        let port = channel.localAddress?.port ?? place.port
        do {
            door.set(
                try Door(
                    http: http,
                    webSockets: webSockets,
                    place: OneAddress(address: place.address, port: port),
                    cookie: "tandem-\(configuration.role)-\(port)",
                    notSignedIn: NotSignedIn(role: configuration.role),
                    signIn: signIn,
                    assets: assets,
                    time: configuration.time,
                    logger: logger
                )
            )
        } catch {
            // The reason to give up is the other one.
            try? await channel.close()
            connections.finish()
            sockets.finish()
            throw error
        }
        bound(port)
        await withDiscardingTaskGroup { group in
            group.addTask { await connections.run() }
            group.addTask { await sockets.run() }
            let (forever, _) = AsyncStream.makeStream(of: Never.self)
            for await _ in forever {}
            // Closing a listener that failed already changes nothing.
            try? await channel.close()
            sockets.finish()
            connections.finish()
        }
    }

    private func sockets(through door: LatestValue<Door?>) -> RouteSockets {
        RouteSockets(
            RouteAdmission(
                closeTimeout: .seconds(3),
                hasPlace: { $0 < Self.socketLimit },
                enter: { request, channel in
                    guard let door = door.value else { return .refused(Self.refusal(503, "Service Unavailable")) }
                    return door.enter(request, from: channel)
                }
            ),
            logger: logger
        )
    }

    private func connections(through door: LatestValue<Door?>) -> HTTPConnections {
        HTTPConnections(limit: Self.connectionLimit, lifetime: Self.lifetime, logger: logger) {
            request,
            writer,
            channel,
            _ in
            guard let door = door.value else { return }
            var response = await door.answer(request, on: channel)
            PageHeaders.add(to: &response.headers)
            try await writer.write(response: response.head, body: response.body)
        }
    }

    private static func refusal(_ status: Int, _ phrase: String, _ sentence: String = "") -> String {
        WebSocketHandshake.response(status, phrase, extra: PageHeaders.lines, sentence: sentence)
    }

    /// The routes and the checks with which an open port answers.
    private final class Door: Equatable, Sendable {
        let table: RouteTable
        private let place: OneAddress
        private let guarding: RequestGuard
        private let cookie: String
        private let notSignedIn: NotSignedIn
        private let signIn: SignIn
        private let assets: AssetTable
        private let time: any TimeSource
        private let logger: Logger

        static func == (left: Door, right: Door) -> Bool { left === right }

        /// - Throws: `RouteError`.
        init(
            http: [HTTPRoute],
            webSockets: [WebSocketRoute],
            place: OneAddress,
            cookie: String,
            notSignedIn: NotSignedIn,
            signIn: SignIn,
            assets: AssetTable,
            time: any TimeSource,
            logger: Logger
        ) throws {
            self.place = place
            guarding = .page(at: place)
            self.cookie = cookie
            self.notSignedIn = notSignedIn
            self.signIn = signIn
            self.assets = assets
            self.time = time
            self.logger = logger
            let sockets = webSockets.map { Self.signedIn($0, cookie, signIn) }
            table =
                try RouteTable.tables(webSockets: sockets, http: http, reserved: ["/", "/sign-in", "/api/sign-out"])[
                    .shared
                ] ?? RouteTable()
        }

        // MARK: WebSockets

        func enter(_ request: WebSocketHandshake.Request, from channel: any Channel) -> RouteAdmission.Entry {
            let connection = RequestConnection(channel.localAddress, now: time.ticks)
            if let refusal = guarding.refusal(RequestClaims(request), for: .acting, on: connection) {
                return .refused(guarding.response(refusal, fields: PageHeaders.lines))
            }
            guard signIn.session(cookies: request.head.values("cookie"), named: cookie) != nil else {
                return .refused(PageListener.refusal(401, "Unauthorized", "\(notSignedIn)\n"))
            }
            return .admitted(.init(clientAddress: channel.remoteAddress?.ipAddress))
        }

        /// Ends with the session that it was opened in.
        private static func signedIn(_ route: WebSocketRoute, _ cookie: String, _ signIn: SignIn) -> WebSocketRoute {
            route.serving { socket, request in
                guard let session = signIn.session(cookies: [request.header("Cookie") ?? ""], named: cookie) else {
                    return await socket.close(.policyViolation, reason: "signed-out")
                }
                try await withThrowingTaskGroup(of: Bool.self) { group in
                    group.addTask {
                        var request = request
                        request.session = session.name
                        try await route.handler(socket, request)
                        return false
                    }
                    group.addTask {
                        await signIn.ended(session)
                        return !Task.isCancelled
                    }
                    defer { group.cancelAll() }
                    if try await group.next() == true { await socket.close(.policyViolation, reason: "signed-out") }
                }
            }
        }

        // MARK: HTTP

        func answer(_ request: Request, on channel: any Channel) async -> Response {
            let path = request.uri.path
            let method = request.head.method
            let claims = RequestClaims(request.head)
            let isRead = method == .get || method == .head
            let isOpen = path == "/" || path == "/sign-in" || path == "/index.html"
            let purpose: RequestGuard.Purpose = isRead ? (isOpen ? .document : .reading) : .acting
            if isRead, isOpen, place.isByName(claims) {
                let query = request.uri.query.map { "?\($0)" } ?? ""
                return Self.redirect(to: place.url + path + query)
            }
            let connection = RequestConnection(channel.localAddress, now: time.ticks)
            if let refusal = guarding.refusal(claims, for: purpose, on: connection) {
                return Self.response(.text(guarding.sentence(refusal), status: refusal.status))
            }
            guard path.hasPrefix("/api/") else { return await page(request, path, isRead: isRead) }
            guard let session = signIn.session(cookies: request.headers[values: .cookie], named: cookie) else {
                return Self.response(.failure(FailureReport(notSignedIn)))
            }
            if path == "/api/sign-out" { return await signOut(session, method) }
            switch table.http(method.rawValue, path[...]) {
            case .none: return Self.response(.failure(FailureReport(PageError.notHere(path: path))))
            case .otherMethods(let methods):
                return HTTPRouteAnswer.plain(.methodNotAllowed, fields: [.allow: methods.joined(separator: ", ")])
            case .route(let route, let parameters):
                return await answer(request, by: route, parameters, in: session, on: channel)
            }
        }

        private func answer(
            _ request: Request,
            by route: HTTPRoute,
            _ parameters: [String: String],
            in session: SignIn.Session,
            on channel: any Channel
        ) async -> Response {
            let (gone, leaving) = AsyncStream.makeStream(of: Never.self)
            let wait = AnswerWait()
            channel.closeFuture.whenComplete { _ in
                leaving.finish()
                wait.end()
            }
            do {
                let route = route.serving { [signIn, notSignedIn] details, body in
                    var details = details
                    details.session = session.name
                    let request = details
                    // The asker does not wait any more: neither does the request.
                    return try await withThrowingTaskGroup(of: HTTPRouteResponse.self) { group in
                        group.addTask {
                            try await route.handler(request, body)
                                .ending(wait, session, of: signIn, otherwise: notSignedIn)
                        }
                        group.addTask {
                            for await _ in gone {}
                            throw CancellationError()
                        }
                        defer { group.cancelAll() }
                        guard let answer = try await group.next() else { throw CancellationError() }
                        return answer
                    }
                }
                return try await HTTPRouteAnswer.answer(
                    request,
                    by: route,
                    parameters: parameters,
                    clientAddress: channel.remoteAddress?.ipAddress,
                    channel: channel
                )
            } catch {
                if !(error is CancellationError) {
                    logger.error(
                        "a route of the page failed",
                        metadata: ["path": "\(route.path)", "error": "\(error)"]
                    )
                }
                return Self.response(.failure(FailureReport(error), status: 500))
            }
        }

        private func page(_ request: Request, _ path: String, isRead: Bool) async -> Response {
            guard isRead else { return HTTPRouteAnswer.plain(.methodNotAllowed, fields: [.allow: "GET"]) }
            if path == "/sign-in" { return await signIn(request) }
            let tag = request.headers[.ifNoneMatch]
            return Self.response(
                assets.answer(path, knownTag: tag) ?? .text("\(PageError.notHere(path: path))\n", status: 404)
            )
        }

        private func signIn(_ request: Request) async -> Response {
            let details = RouteRequest(method: "GET", target: request.uri.string, host: "", clientAddress: nil)
            do {
                let value = try await signIn.redeem(details.query("token") ?? "", cookie: cookie)
                let age = Int(SignIn.sessionLifetime)
                return Self.redirect(
                    to: "/",
                    ("Set-Cookie", "\(cookie)=\(value); Path=/; Max-Age=\(age); HttpOnly; SameSite=Strict")
                )
            } catch let error as PageError where error == .badLink || error == .tooManyTries {
                // A signed-in browser needs no link: it may ask twice for one, and the tab of an old one may be opened again.
                if signIn.session(cookies: request.headers[values: .cookie], named: cookie) != nil {
                    return Self.redirect(to: "/")
                }
                if error == .badLink { return Self.redirect(to: "/#/sign-in/expired") }
                return Self.response(.text("\(PageError.tooManyTries)\n", status: 429))
            } catch {
                logger.error("a browser could not be signed in", metadata: ["reason": "\(error)"])
                return Self.response(.text("The sign-in could not be kept. Look at the program's log.\n", status: 500))
            }
        }

        private func signOut(_ session: SignIn.Session, _ method: HTTPRequest.Method) async -> Response {
            guard method == .post else { return HTTPRouteAnswer.plain(.methodNotAllowed, fields: [.allow: "POST"]) }
            do {
                try await signIn.signOut(session)
                let field = ("Set-Cookie", "\(cookie)=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict")
                return Self.response(HTTPRouteResponse(status: 204, fields: [field]))
            } catch {
                logger.error("a browser could not be signed out for good", metadata: ["reason": "\(error)"])
                return Self.response(.failure(FailureReport(error), status: 500))
            }
        }

        private static func redirect(to place: String, _ fields: (name: String, value: String)...) -> Response {
            response(HTTPRouteResponse(status: 303, fields: [("Location", place)] + fields))
        }

        private static func response(_ answer: HTTPRouteResponse) -> Response {
            HTTPRouteAnswer.response(answer)
        }
    }
}

extension HTTPRouteResponse {
    /// Sends nothing more, and waits for nothing more, once the session or the connection has ended.
    fileprivate func ending(
        _ wait: AnswerWait,
        _ session: SignIn.Session,
        of signIn: SignIn,
        otherwise notSignedIn: NotSignedIn
    ) -> HTTPRouteResponse {
        guard case .pieces(let length, let next) = body else { return self }
        return HTTPRouteResponse(
            status: status,
            fields: fields,
            body: .pieces(length: length) {
                guard signIn.isOpen(session) else { throw notSignedIn }
                let piece = try await wait.run(next) { await signIn.ended(session) }
                // It may have come in the moment that the session ended.
                guard signIn.isOpen(session) else { throw notSignedIn }
                return piece
            }
        )
    }
}

/// The wait for the next piece of an answer, ended with its connection: the HTTP library notices that only where it writes.
private final class AnswerWait: Sendable {
    private struct State {
        var isOver = false
        var task: Task<[UInt8]?, any Error>?
    }

    private let state = Mutex(State())

    /// - Parameter sessionEnded: Returns when the answer may not go on, and when it is cancelled.
    func run(
        _ next: @escaping @Sendable () async throws -> [UInt8]?,
        until sessionEnded: @escaping @Sendable () async -> Void
    ) async throws -> [UInt8]? {
        let task = Task { try await next() }
        let watch = Task {
            await sessionEnded()
            task.cancel()
        }
        defer { watch.cancel() }
        let isOver = state.withLock { state in
            state.task = task
            return state.isOver
        }
        if isOver { task.cancel() }
        defer { state.withLock { $0.task = nil } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    func end() {
        let task = state.withLock { state in
            state.isOver = true
            return state.task
        }
        task?.cancel()
    }
}
