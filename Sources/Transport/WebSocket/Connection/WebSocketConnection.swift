public import Foundation
package import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// One end of one WebSocket connection over a socket. It does not reconnect: its owner makes another.
///
/// Messages arrive through ``messages``, for one reader. When that reader falls behind, the socket is not read, so that
/// the peer waits; when the socket does not take more, sending waits.
public final class WebSocketConnection: WebSocketPeer {
    /// Ends when the connection does; then ``closure`` says why.
    public let messages: WebSocketMessages
    /// The `Host` the server was asked for: the authority as it stands in the URL, in lower case.
    public let host: String
    public let subprotocol: String?
    /// SHA-256 of the certificate that the server was known by, DER; nil without TLS.
    public let certificateHash: [UInt8]?
    let channel: any Channel
    private let role: WebSocketRole
    private let configuration: WebSocketConfiguration
    private let ending: WebSocketEnding
    private let output: WebSocketOutput
    private let outgoing = WebSocketOutgoing()
    /// The other end's address where that is not the socket's: behind a reverse proxy.
    private let clientAddress: String?

    /// The parts that both halves of a connection share: its handler on the event loop, and this.
    private struct Parts {
        let output = WebSocketOutput()
        let ending = WebSocketEnding()
        let signals = WebSocketReaderSignals()
        let buffered = BufferedBytes()
        let messages: WebSocketMessages
        let source: WebSocketMessages.Producer.Source

        init(_ configuration: WebSocketConfiguration) {
            let produced = WebSocketMessages.Producer.makeSequence(
                elementType: WebSocketMessage.self,
                backPressureStrategy: WebSocketBackPressure(
                    messages: configuration.bufferedMessages,
                    bytes: configuration.bufferedBytes,
                    buffered: buffered
                ),
                finishOnDeinit: true,
                delegate: signals
            )
            messages = WebSocketMessages(producer: produced.sequence, buffered: buffered)
            source = produced.source
        }
    }

    private init(
        channel: any Channel,
        role: WebSocketRole,
        parts: Parts,
        host: String,
        subprotocol: String?,
        certificateHash: [UInt8]?,
        clientAddress: String? = nil,
        configuration: WebSocketConfiguration
    ) {
        self.channel = channel
        self.role = role
        messages = parts.messages
        output = parts.output
        ending = parts.ending
        self.host = host
        self.subprotocol = subprotocol
        self.certificateHash = certificateHash
        self.clientAddress = clientAddress
        self.configuration = configuration
    }

    /// The server's end of a connection whose handshake is about to be accepted. Called on the channel's event loop.
    ///
    /// - Parameters:
    ///   - clientAddress: The other end's, where a reverse proxy is between.
    ///   - spend: Asked after each read how long nothing is to be read after so many messages; nil for no wait.
    /// - Returns: The connection, and the handler that is to stand in the channel's pipeline before anything is sent.
    package static func accept(
        _ request: WebSocketHandshake.Request,
        on channel: any Channel,
        subprotocol: String?,
        clientAddress: String?,
        configuration: WebSocketConfiguration,
        spend: @escaping @Sendable (Int) -> TimeAmount?
    ) -> (connection: WebSocketConnection, handler: any ChannelHandler & Sendable) {
        let parts = Parts(configuration)
        parts.signals.attach(channel)
        let connection = WebSocketConnection(
            channel: channel,
            role: .server,
            parts: parts,
            host: request.host,
            subprotocol: subprotocol,
            certificateHash: request.certificateHash,
            clientAddress: clientAddress,
            configuration: configuration
        )
        let handler = WebSocketConnectionHandler(
            opening: nil,
            configuration: configuration,
            source: parts.source,
            buffered: parts.buffered,
            output: parts.output,
            ending: parts.ending,
            spend: spend
        )
        return (connection, handler)
    }

    deinit {
        // A caller that forgets to close still leaves no socket behind.
        channel.close(promise: nil)
    }

    /// Opens a connection: TCP, TLS for `wss`, and the handshake.
    ///
    /// - Parameter headers: Added to the handshake's request. Neither names nor values may hold line breaks.
    /// - Throws: ``WebSocketError``; `CancellationError` when the caller is cancelled.
    public static func connect(
        to url: URL,
        headers: [(name: String, value: String)] = [],
        configuration: WebSocketConfiguration = WebSocketConfiguration()
    ) async throws -> WebSocketConnection {
        let target = try WebSocketTarget(url)
        for header in headers where (header.name + header.value).utf8.contains(where: { $0 < 0x20 }) {
            throw WebSocketError.invalidURL(header.name)
        }
        for name in configuration.subprotocols where !WebSocketHandshake.isToken(name) {
            throw WebSocketError.invalidSubprotocol(name)
        }
        let tls = try target.isSecure ? tlsContext(configuration.trust) : nil
        let parts = Parts(configuration)
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let opening = opening(target, headers, configuration.subprotocols, on: loop)
        let opened = opening.opened
        let pending = Mutex<PendingChannel>(.none)
        let bootstrap = bootstrap(on: loop, to: target, tls, opening, parts, configuration)
        let deadline = loop.scheduleTask(in: TimeAmount(configuration.openTimeout)) {
            opened.fail(WebSocketError.timedOut(after: configuration.openTimeout))
        }
        return try await withTaskCancellationHandler {
            defer { deadline.cancel() }
            do {
                let channel = try await bootstrap.connect(host: target.host, port: target.port).get()
                if pending.withLock({ $0.attach(channel) }) { opened.fail(CancellationError()) }
                let subprotocol: String?
                do {
                    subprotocol = try await opened.futureResult.get()
                } catch {
                    channel.close(promise: nil)
                    throw error
                }
                let certificate = tls == nil ? nil : try await channel.nioSSL_peerCertificate().get()
                return WebSocketConnection(
                    channel: channel,
                    role: .client,
                    parts: parts,
                    host: target.authority,
                    subprotocol: subprotocol,
                    certificateHash: try certificate.map(CertificateHash.of),
                    configuration: configuration
                )
            } catch {
                // A promise must not be left; failing it again when it failed already changes nothing.
                opened.fail(error)
                throw Self.describe(error, host: target.authority, limit: configuration.openTimeout)
            }
        } onCancel: {
            pending.withLock { $0.cancel() }?.close(promise: nil)
            opened.fail(CancellationError())
        }
    }

    private static func opening(
        _ target: WebSocketTarget,
        _ headers: [(name: String, value: String)],
        _ subprotocols: [String],
        on loop: any EventLoop
    ) -> WebSocketConnectionHandler.Opening {
        let key = Base64.encode((0..<16).map { _ in UInt8.random(in: .min ... .max) })
        let protocols =
            subprotocols.isEmpty ? [] : [(name: "Sec-WebSocket-Protocol", value: subprotocols.joined(separator: ", "))]
        return WebSocketConnectionHandler.Opening(
            request: WebSocketHandshake.request(
                path: target.path,
                host: target.authority,
                key: key,
                headers: headers + protocols
            ),
            key: key,
            subprotocols: subprotocols,
            opened: loop.makePromise(of: String?.self)
        )
    }

    private static func bootstrap(
        on loop: any EventLoop,
        to target: WebSocketTarget,
        _ tls: NIOSSLContext?,
        _ opening: WebSocketConnectionHandler.Opening,
        _ parts: Parts,
        _ configuration: WebSocketConfiguration
    ) -> ClientBootstrap {
        ClientBootstrap(group: loop)
            .connectTimeout(TimeAmount(configuration.openTimeout))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 2048, maximum: 256 * 1024)
            )
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        let name = target.isAddress ? nil : target.host
                        try channel.pipeline.syncOperations.addHandler(
                            Self.tlsHandler(tls, name, configuration.trust)
                        )
                    }
                    let handler = WebSocketConnectionHandler(
                        opening: opening,
                        configuration: configuration,
                        source: parts.source,
                        buffered: parts.buffered,
                        output: parts.output,
                        ending: parts.ending
                    )
                    try channel.pipeline.syncOperations.addHandler(handler)
                    parts.signals.attach(channel)
                }
            }
    }

    /// Returns once the operating system took the message, or where little waits for it: a caller that sends in a loop is held to
    /// the network's pace, one message ahead of it. Cancelled it returns at once, and the message goes out all the same: a question
    /// that has a time limit must not wait behind a file on a line that is stuck.
    public func send(text: String) async throws { try await send(.text, Array(text.utf8)) }

    /// - Parameter text: UTF-8.
    public func send(text: [UInt8]) async throws { try await send(.text, text) }

    /// One binary message; waits and throws as ``send(text:)`` does.
    public func send(binary: [UInt8]) async throws { try await send(.binary, binary) }

    /// One message of two parts, which are not joined first.
    public func send(binary head: [UInt8], _ body: ArraySlice<UInt8>) async throws {
        try await send(.binary, head, body)
    }

    private func send(_ opcode: WebSocketOpcode, _ head: [UInt8], _ body: ArraySlice<UInt8> = []) async throws {
        guard head.count + body.count <= configuration.maximumMessageBytes else {
            throw WebSocketError.messageTooBig(limit: configuration.maximumMessageBytes)
        }
        guard ending.closure == nil else { throw WebSocketError.closed }
        let count = head.count + body.count
        let frameBytes = count + WebSocketFrameWriter.headLength(payload: count) + (role == .client ? 4 : 0)
        // Counted before it can be written, which takes it off again.
        let waiting = output.add(frameBytes)
        let (begins, written) = outgoing.add(frameBytes, to: channel) { buffer in
            head.withUnsafeBytes { head in
                body.withUnsafeBytes { body in
                    switch role {
                    case .client:
                        let mask = UInt32.random(in: .min ... .max)
                        WebSocketFrameWriter.append(opcode, body, after: head, mask: mask, to: &buffer)
                    case .server: WebSocketFrameWriter.append(opcode, body, after: head, to: &buffer)
                    }
                }
            }
        }
        if begins { writeOutgoing() }
        guard waiting > configuration.writeAheadBytes else { return }
        let taken = channel.eventLoop.makePromise(of: Void.self)
        written.cascade(to: taken)
        do {
            try await withTaskCancellationHandler {
                try await taken.futureResult.get()
            } onCancel: {
                taken.fail(CancellationError())
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            // A socket written to after its end fails with various errors; to the caller the connection is closed.
            throw WebSocketError.closed
        }
    }

    /// Asks the event loop to write what waits for it by then. What is closed or sent later comes behind it: the loop keeps the order.
    private func writeOutgoing() {
        channel.eventLoop.execute { [channel, outgoing, output] in
            guard let batch = outgoing.take() else { return }
            batch.written.futureResult.whenComplete { _ in output.remove(batch.bytes, messages: batch.messages) }
            for buffer in batch.buffers.dropLast() { channel.write(buffer, promise: nil) }
            if let last = batch.buffers.last { channel.writeAndFlush(last, promise: batch.written) }
        }
    }

    /// Sends a ping and waits for its pong.
    ///
    /// - Throws: ``WebSocketError/closed`` when the connection ends first; `CancellationError`.
    public func ping() async throws {
        let promise = channel.eventLoop.makePromise(of: Void.self)
        try await withTaskCancellationHandler {
            channel.pipeline.fireUserInboundEventTriggered(WebSocketConnectionEvent.ping(promise))
            if !channel.isActive { promise.fail(WebSocketError.closed) }
            try await promise.futureResult.get()
        } onCancel: {
            promise.fail(CancellationError())
        }
    }

    /// Closes with the close handshake and returns when the socket is gone. Closing twice is harmless.
    public func close(_ code: WebSocketCloseCode = .normal, reason: String = "") async {
        beginClose(code, reason: reason)
        // The close future never fails.
        try? await channel.closeFuture.get()
    }

    /// ``close(_:reason:)`` without waiting for its end.
    package func beginClose(_ code: WebSocketCloseCode, reason: String) {
        let limit = TimeAmount(configuration.closeTimeout)
        let event = WebSocketConnectionEvent.close(code, reason: reason, within: limit)
        channel.pipeline.fireUserInboundEventTriggered(event)
    }

    /// The peer has proved itself: from its next message on the configuration's largest counts.
    package func takeLargeMessages() {
        channel.pipeline.fireUserInboundEventTriggered(WebSocketConnectionEvent.takeLargeMessages)
    }

    /// Bytes that were sent and not taken by the operating system yet.
    package var waitingBytes: Int { output.waitingBytes }

    /// Tells this connection's channel from others.
    package var channelID: ObjectIdentifier { ObjectIdentifier(channel) }

    /// Both ends, where the other one is on this machine too.
    package var loopbackPeer: LoopbackPeer? {
        LoopbackPeer(remote: channel.remoteAddress, local: channel.localAddress)
    }

    /// Whether what travels is behind TLS. At a server's end also where TLS ends here.
    package var isSecure: Bool { certificateHash != nil }

    /// Ends the connection at once, without a close frame.
    public func abort() {
        ending.record(.byUs)
        channel.close(promise: nil)
    }

    /// How the connection ended; nil while it is open.
    public var closure: WebSocketClosure? { ending.closure }

    /// The address that answered, for showing and for logs.
    public var remoteAddress: String? { clientAddress ?? channel.remoteAddress?.ipAddress }

    private static func tlsContext(_ trust: WebSocketTrust) throws(WebSocketError) -> NIOSSLContext {
        do {
            var tls = TLSConfiguration.makeClientConfiguration()
            switch trust {
            case .system: break
            case .certificates(let pem): tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(pem))
            // The handler compares the certificate itself; a name is no part of that.
            case .certificate, .publicKey: tls.certificateVerification = .noHostnameVerification
            }
            return try NIOSSLContext(configuration: tls)
        } catch {
            throw .unusableCertificates(reason: "\(error)")
        }
    }

    private static func tlsHandler(
        _ context: NIOSSLContext,
        _ name: String?,
        _ trust: WebSocketTrust
    ) throws -> NIOSSLClientHandler {
        let fits: @Sendable (NIOSSLCertificate) -> Bool
        switch trust {
        case .system, .certificates: return try NIOSSLClientHandler(context: context, serverHostname: name)
        // A certificate that cannot be read is not the pinned one.
        case .certificate(let expected): fits = { (try? CertificateHash.of($0)) == expected }
        case .publicKey(let expected): fits = { (try? CertificateHash.ofKey($0)) == expected }
        }
        return try NIOSSLClientHandler(
            context: context,
            serverHostname: name,
            customVerificationCallback: { certificates, verdict in
                verdict.succeed(certificates.first.map(fits) ?? false ? .certificateVerified : .failed)
            }
        )
    }

    private static func describe(_ error: any Error, host: String, limit: Duration) -> any Error {
        switch error {
        case is WebSocketError, is CancellationError: error
        case ChannelError.connectTimeout: WebSocketError.timedOut(after: limit)
        case let error as NIOSSLError: WebSocketError.untrusted(host: host, reason: "\(error)")
        case let error as NIOSSLExtraError: WebSocketError.untrusted(host: host, reason: error.description)
        case let error as NIOConnectionError:
            WebSocketError.unreachable(
                host: host,
                reason: error.connectionErrors.first.map { reason(of: $0.error) } ?? "its name is not known"
            )
        default: WebSocketError.unreachable(host: host, reason: reason(of: error))
        }
    }

    private static func reason(of error: any Error) -> String {
        (error as? IOError).map { String(cString: strerror($0.errnoCode)).lowercased() } ?? "\(error)"
    }
}

/// A channel that is being connected, and whether its caller still wants it.
private enum PendingChannel {
    case none
    case connected(any Channel)
    case cancelled

    /// True when it was cancelled before.
    mutating func attach(_ channel: any Channel) -> Bool {
        if case .cancelled = self { return true }
        self = .connected(channel)
        return false
    }

    mutating func cancel() -> (any Channel)? {
        defer { self = .cancelled }
        if case .connected(let channel) = self { return channel }
        return nil
    }
}
