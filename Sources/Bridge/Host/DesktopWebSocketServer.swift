import Bridge
import Foundation
import Kernel
import Logging
import NIOCore
import NIOPosix
import RouteServer
import Transport

/// Listens for the bridge's sockets, `ws://` and `wss://` on one port, and hands each to the door. A port that is taken is tried again: the
/// computer's other doors stay open meanwhile.
package final class DesktopWebSocketServer: Sendable {
    package enum State: Hashable, Sendable {
        case starting
        case listening(port: Int)
        case failed(BridgeError)
        case stopped
    }

    struct Configuration: Sendable {
        var address: String
        /// 0 for any free one.
        var port: Int
        var identity: TLSIdentity?
        var rules: BridgeRules
    }

    /// The time between two tries to listen.
    static let retryInterval = Duration.seconds(30)
    /// The largest message of a client that proved itself.
    static let messageLimit = 1024 * 1024

    private let configuration: Configuration
    private let door: BridgeDoor
    private let places: BridgePlaces
    private let time: any TimeSource
    private let logger: Logger
    private let latest = LatestValue(State.starting)

    init(_ configuration: Configuration, door: BridgeDoor, places: BridgePlaces, time: any TimeSource, logger: Logger) {
        self.configuration = configuration
        self.door = door
        self.places = places
        self.time = time
        self.logger = logger
    }

    package var state: State { latest.value }
    package func states() -> AsyncStream<State> { latest.values() }

    /// Serves until it is cancelled.
    package func run() async {
        repeat {
            do {
                try await serve()
                break
            } catch let error as BridgeError {
                if latest.value != .failed(error) {
                    logger.error("the bridge does not listen", metadata: ["reason": "\(error)"])
                }
                latest.set(.failed(error))
            } catch {
                logger.error("the bridge failed", metadata: ["reason": "\(error)"])
                break
            }
        } while await time.pause(for: Self.retryInterval)
        latest.set(.stopped)
    }

    private func serve() async throws {
        // The path is for logs: documented clients use none, and any is served.
        let route = try WebSocketRoute(
            "/bridge",
            maximumMessageBytes: Self.messageLimit,
            readAheadBytes: Self.messageLimit,
            writeAheadBytes: 320 * 1024,
            // The door asks for signs of life itself; this ends what takes nothing.
            keepAlive: .seconds(60)
        ) { [door] peer, request in
            await door.serve(peer, from: request.clientAddress, hasOrigin: request.header("origin") != nil)
        }.limitingFirstMessage(to: BridgeHello.byteLimit)
        let sockets = RouteSockets(admission, logger: logger)
        var options = WebSocketListener.Options()
        options.acceptsPlain = true
        let listener = WebSocketListener(identity: configuration.identity, options: options)
        let channel: any Channel
        do {
            channel = try await listener.bind(
                host: configuration.address,
                port: configuration.port,
                group: MultiThreadedEventLoopGroup.singleton,
                arrived: { [places] in places.arrive($0) },
                admit: { [places] channel in
                    places.enter(channel, from: NetworkAddress(channel.remoteAddress))
                    return true
                },
                routes: .init(
                    upgrade: { request, channel in sockets.accept(request, channel, route, [:]) },
                    http: { channel in
                        let sentence = "This is the bridge of a computer: it speaks WebSocket.\n"
                        let answer = WebSocketHandshake.response(426, "Upgrade Required", sentence: sentence)
                        return channel.writeAndFlush(channel.allocator.buffer(string: answer)).map { false }
                    }
                )
            )
        } catch {
            let code = (error as? IOError)?.errnoCode
            throw BridgeError.cannotListen(
                address: configuration.address,
                port: configuration.port,
                reason: code.map { String(cString: strerror($0)).lowercased() } ?? Self.reason(of: error),
                isTaken: code == EADDRINUSE
            )
        }
        let port = channel.localAddress?.port ?? configuration.port
        latest.set(.listening(port: port))
        logger.notice("bridge listening", metadata: ["address": "\(configuration.address)", "port": "\(port)"])
        await withTaskCancellationHandler {
            await sockets.run()
        } onCancel: {
            channel.close(promise: nil)
            sockets.finish()
        }
        // Closed already where it was cancelled.
        try? await channel.close()
    }

    private static func reason(of error: any Error) -> String {
        error is SocketAddressError.UnknownHost ? "this name is not known" : "\(error)"
    }

    private var admission: RouteAdmission {
        let limit = BridgeDoor.totalSocketLimit + 2 * BridgePlaces.totalLimit
        return RouteAdmission(closeTimeout: .seconds(3), hasPlace: { $0 < limit }) {
            [door, places, time, rules = configuration.rules] request, channel in
            let remote = NetworkAddress(channel.remoteAddress)
            let refusal =
                door.wait(of: remote) != nil
                ? .guesses
                : rules.refusal(
                    RequestClaims(request),
                    isSecure: request.certificateHash != nil,
                    from: remote,
                    on: RequestConnection(channel.localAddress, now: time.ticks)
                )
            if let refusal {
                door.note(refused: refusal.word)
                return .refused(rules.response(refusal))
            }
            places.speak(channel)
            return .admitted(.init(clientAddress: channel.remoteAddress?.ipAddress))
        }
    }
}
