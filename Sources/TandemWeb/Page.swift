package import Control
import Foundation
package import GRDB
import Kernel
package import Logging
import ServiceLifecycle
import Transport

/// A role's page: its port, its sign-in and its events. It has no part in what the role does: it asks the role's control methods.
///
/// A page whose port is taken says so and leaves the role running.
package struct Page: Service {
    private enum State: Equatable {
        case starting
        case off
        case listening(port: Int)
        case failed(PageError)
    }

    private let configuration: PageConfiguration
    private let control: ControlTable
    private let signIn: SignIn
    private let assets: AssetTable
    private let log = EventLog()
    private let topics: TopicReader
    private let bound: BoundBrowsers
    private let state: LatestValue<State>
    private let logger: Logger

    /// - Parameters:
    ///   - routes: What commands on this machine can ask of the role.
    ///   - topics: What the role tells by itself.
    ///   - database: The role's.
    /// - Throws: What SQLite says.
    package init(
        _ configuration: PageConfiguration,
        routes: [ControlRoute],
        topics: [ControlTopic],
        database: any DatabaseWriter,
        logger: Logger
    ) throws {
        let signIn = try SignIn(database, time: configuration.time)
        let state = LatestValue<State>(configuration.place == nil ? .off : .starting)
        let assets = AssetTable(folder: configuration.files, terminal: configuration.terminalFiles)
        self.configuration = configuration
        self.signIn = signIn
        self.state = state
        self.assets = assets
        self.logger = logger
        self.topics = TopicReader(topics, log: log, time: configuration.time)
        let bound = BoundBrowsers(
            bindings: configuration.bindings,
            signIn: signIn,
            control: ControlTable(routes),
            time: configuration.time,
            logger: logger
        )
        self.bound = bound
        let own = [
            ControlRoute(PageControl.link) { _ in try await Self.link(signIn, state, configuration) },
            ControlRoute(PageControl.place) { _ in PageControl.Place(url: try await Self.url(state, configuration)) },
            ControlRoute(PageControl.signOut) { _ in
                let count = try await signIn.signOutAll()
                await bound.endAll()
                return PageControl.SignedOut(browsers: count)
            },
        ]
        control = ControlTable(routes + own)
    }

    /// The requests that commands on this machine can make of the role and of its page.
    package var table: ControlTable { control }

    /// Where the page is, once it is there.
    ///
    /// - Throws: As ``boundPort()``.
    package func url() async throws -> String { try await Self.url(state, configuration) }

    /// A link that signs one browser in.
    ///
    /// - Throws: As ``boundPort()``.
    package func makeLink() async throws -> PageControl.Link { try await Self.link(signIn, state, configuration) }

    private static func url(_ state: LatestValue<State>, _ configuration: PageConfiguration) async throws -> String {
        let port = try await port(state, configuration)
        return "http://\(configuration.place?.address == "::1" ? "[::1]" : "127.0.0.1"):\(port)"
    }

    private static func link(
        _ signIn: SignIn,
        _ state: LatestValue<State>,
        _ configuration: PageConfiguration
    ) async throws -> PageControl.Link {
        let url = try await url(state, configuration)
        return PageControl.Link(
            url: "\(url)/sign-in?token=\(signIn.makeLink())",
            expiresAt: configuration.time.date.addingTimeInterval(SignIn.linkLifetime).millisecondsSince1970,
            terminal: configuration.terminalFiles != nil,
            files: configuration.files != nil
        )
    }

    /// The port, once it is listened on.
    ///
    /// - Throws: ``PageError`` where the page is not served; `CancellationError`.
    package func boundPort() async throws -> Int { try await Self.port(state, configuration) }

    private static func port(_ state: LatestValue<State>, _ configuration: PageConfiguration) async throws -> Int {
        for await state in state.values() {
            switch state {
            case .starting: continue
            case .off: throw PageError.off(role: configuration.role)
            case .listening(let port): return port
            case .failed(let error): throw error
            }
        }
        throw CancellationError()
    }

    /// Serves until shutdown or cancellation.
    package func run() async throws {
        try await cancelWhenGracefulShutdown {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await bound.run() }
                defer { group.cancelAll() }
                try await listen()
            }
        }
    }

    private func listen() async throws {
        if let place = configuration.place {
            do {
                try await serve(at: place)
            } catch let error as PageError {
                state.set(.failed(error))
                logger.error("\(error)")
            }
        }
        // A role without its page goes on: nothing ends with this part but by shutdown.
        let (forever, _) = AsyncStream.makeStream(of: Never.self)
        for await _ in forever {}
    }

    private func serve(at place: PageConfiguration.Place) async throws {
        let api = PageAPI(configuration: configuration, control: control, assets: assets, bound: bound)
        let http = try api.routes() + configuration.httpRoutes
        let webSockets = [try events(api)] + configuration.webSocketRoutes
        let listener = PageListener(configuration, at: place, signIn: signIn, assets: assets, logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await topics.run() }
            group.addTask {
                try await listener.run(http: http, webSockets: webSockets) { state.set(.listening(port: $0)) }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func events(_ api: PageAPI) throws -> WebSocketRoute {
        try WebSocketRoute(
            "/api/events",
            maximumMessageBytes: EventSocket.messageBytes,
            keepAlive: .seconds(20)
        ) { [control, log, topics] socket, request in
            try await topics.listening {
                let session = SignIn.Session(name: request.session)
                let events = EventSocket(
                    socket,
                    control: control,
                    log: log,
                    before: { try await api.bound.note($0, $1, of: session) }
                ) { api.failure($0, $1, $2) }
                do {
                    try await events.run(
                        epoch: request.query("epoch"),
                        after: request.query("after").flatMap(UInt64.init)
                    )
                } catch PageError.malformedRequest {
                    await socket.close(.policyViolation, reason: "bad-request")
                }
            }
        }
    }
}
