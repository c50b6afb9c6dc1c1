import Foundation
import Kernel
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle
import Synchronization

/// The port where an authority asks for proofs over HTTP (RFC 8555 section 8.3). Everything else is sent on to https.
package final class HTTPChallengeListener: Service {
    private static let mostConnections = 128
    private static let patience = TimeAmount.seconds(10)

    private let channel: any Channel
    private let answers: HTTPChallengeAnswers

    /// The port that is listened on.
    package var port: Int { channel.localAddress?.port ?? 0 }

    private init(_ channel: any Channel, _ answers: HTTPChallengeAnswers) {
        self.channel = channel
        self.answers = answers
    }

    /// Listens at once.
    ///
    /// - Parameters:
    ///   - names: Those of the hub: a request for another name is sent on to the first of them.
    ///   - securePort: The port at which the names answer over TLS.
    /// - Throws: ``ACMEError/cannotListen(address:port:reason:)``.
    package static func listening(
        at address: String,
        port: Int,
        names: [CertificateName],
        securePort: Int
    ) async throws -> HTTPChallengeListener {
        let answers = HTTPChallengeAnswers(names: names.map(\.text), securePort: securePort)
        let count = ConnectionCount(most: mostConnections)
        do {
            let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.backlog, value: 64)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        guard count.begin() else { throw ChannelError.eof }
                        channel.closeFuture.whenComplete { _ in count.end() }
                        let end = channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
                        channel.closeFuture.whenComplete { _ in end.cancel() }
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(HTTPResponseEncoder())
                        try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
                        try pipeline.addHandler(HTTPChallengeHandler(answers))
                    }
                }
                .bind(host: address, port: port)
                .get()
            return HTTPChallengeListener(channel, answers)
        } catch {
            let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)).lowercased() }
            throw ACMEError.cannotListen(address: address, port: port, reason: reason ?? "\(error)")
        }
    }

    /// Answers from now on.
    package func prepare(_ token: ChallengeToken, _ keyAuthorization: String) {
        answers.set(keyAuthorization, for: token)
    }

    package func withdraw(_ token: ChallengeToken) { answers.set(nil, for: token) }

    /// Runs until graceful shutdown or cancellation.
    package func run() async throws {
        try? await gracefulShutdown()  // cancelled: the same end
        await close()
    }

    package func close() async {
        // It fails only where the socket failed before.
        try? await channel.close()
    }
}

/// A bound on connections.
private final class ConnectionCount: Sendable {
    private let most: Int
    private let count = Mutex(0)

    init(most: Int) { self.most = most }

    func begin() -> Bool {
        count.withLock { count in
            guard count < most else { return false }
            count += 1
            return true
        }
    }

    func end() { count.withLock { $0 -= 1 } }
}

/// What the port answers.
final class HTTPChallengeAnswers: Sendable {
    struct Response: Equatable {
        var status: HTTPResponseStatus
        var location: String?
        var body = ""
    }

    private static let prefix = "/.well-known/acme-challenge/"
    private static let longestPath = 2048

    private let names: [String]
    private let securePort: Int
    private let kept = Mutex<[ChallengeToken: String]>([:])

    init(names: [String], securePort: Int) {
        self.names = names
        self.securePort = securePort
    }

    func set(_ keyAuthorization: String?, for token: ChallengeToken) {
        kept.withLock { $0[token] = keyAuthorization }
    }

    func response(to method: HTTPMethod, _ path: String, host: String?) -> Response {
        guard method == .GET || method == .HEAD else { return Response(status: .methodNotAllowed) }
        if path.hasPrefix(Self.prefix) {
            let answer = ChallengeToken(String(path.dropFirst(Self.prefix.count))).flatMap { token in
                kept.withLock { $0[token] }
            }
            return answer.map { Response(status: .ok, body: $0) } ?? Response(status: .notFound)
        }
        guard path.hasPrefix("/"), path.utf8.count <= Self.longestPath,
            path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return Response(status: .badRequest) }
        let asked = host?.lowercased().split(separator: ":").first.map(String.init)
        // Only the hub's own names: a stranger's Host field must not choose where a person is sent.
        guard let name = names.first(where: { $0 == asked }) ?? names.first else {
            return Response(status: .serviceUnavailable)
        }
        return Response(
            status: .temporaryRedirect,
            location: "https://\(name)\(securePort == 443 ? "" : ":\(securePort)")\(path)"
        )
    }
}

/// Answers one request, and closes.
private final class HTTPChallengeHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let answers: HTTPChallengeAnswers
    private var isAnswered = false

    init(_ answers: HTTPChallengeAnswers) { self.answers = answers }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let request) = unwrapInboundIn(data), !isAnswered else { return }
        isAnswered = true
        let response = answers.response(to: request.method, request.uri, host: request.headers.first(name: "Host"))
        var head = HTTPResponseHead(version: .http1_1, status: response.status)
        head.headers.add(name: "Connection", value: "close")
        head.headers.add(name: "Content-Length", value: "\(response.body.utf8.count)")
        head.headers.add(name: "X-Content-Type-Options", value: "nosniff")
        if !response.body.isEmpty { head.headers.add(name: "Content-Type", value: "application/octet-stream") }
        if let location = response.location { head.headers.add(name: "Location", value: location) }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if request.method != .HEAD, !response.body.isEmpty {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: response.body)))), promise: nil)
        }
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // No request of HTTP: there is nothing to answer.
        context.close(promise: nil)
    }
}
