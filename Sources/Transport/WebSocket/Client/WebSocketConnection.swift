public import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// The client's end of one WebSocket connection. It does not reconnect: its owner makes another.
///
/// Messages arrive through ``messages``, for one reader. When that reader falls behind, the socket is not read, so that
/// the peer waits; when the socket does not take more, sending waits.
public final class WebSocketConnection: Sendable {
    /// Ends when the connection does; then ``closure`` says why.
    public let messages: WebSocketMessages
    /// The `Host` the server was asked for: the authority as it stands in the URL, in lower case.
    public let host: String
    /// SHA-256 of the certificate that the server was known by, DER; nil without TLS.
    public let certificateHash: [UInt8]?
    let channel: any Channel
    private let configuration: WebSocketConfiguration
    private let ending: WebSocketEnding
    /// Bytes of messages that the operating system has not taken yet.
    private let outstanding = Atomic(0)

    private init(
        channel: any Channel,
        messages: WebSocketMessages,
        host: String,
        certificateHash: [UInt8]?,
        configuration: WebSocketConfiguration,
        ending: WebSocketEnding
    ) {
        self.channel = channel
        self.messages = messages
        self.host = host
        self.certificateHash = certificateHash
        self.configuration = configuration
        self.ending = ending
    }

    deinit {
        // Whoever forgets to close still leaves no socket behind.
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
        let tls = try target.isSecure ? tlsContext(configuration.trust) : nil
        let group = MultiThreadedEventLoopGroup.singleton
        let ending = WebSocketEnding()
        let reader = WebSocketClientReader()
        let produced = WebSocketMessages.Producer.makeSequence(
            elementType: WebSocketMessage.self,
            backPressureStrategy: .init(
                lowWatermark: max(1, configuration.bufferedMessages / 4),
                highWatermark: max(2, configuration.bufferedMessages)
            ),
            finishOnDeinit: true,
            delegate: reader
        )
        let messages = WebSocketMessages(producer: produced.sequence)
        let source = produced.source
        let key = Base64.encode((0..<16).map { _ in UInt8.random(in: .min ... .max) })
        let request = WebSocketHandshake.request(path: target.path, host: target.authority, key: key, headers: headers)
        let limit = TimeAmount(configuration.openTimeout)
        let loop = group.next()
        let opened = loop.makePromise(of: Void.self)
        let pending = Mutex<PendingChannel>(.none)
        let bootstrap = ClientBootstrap(group: loop)
            .connectTimeout(limit)
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
                    let handler = WebSocketClientHandler(
                        request: request,
                        key: key,
                        maximumMessageBytes: configuration.maximumMessageBytes,
                        opened: opened,
                        source: source,
                        ending: ending
                    )
                    try channel.pipeline.syncOperations.addHandler(handler)
                    reader.attach(channel)
                }
            }
        let deadline = loop.scheduleTask(in: limit) {
            opened.fail(WebSocketError.timedOut(after: configuration.openTimeout))
        }
        return try await withTaskCancellationHandler {
            defer { deadline.cancel() }
            do {
                let channel = try await bootstrap.connect(host: target.host, port: target.port).get()
                if pending.withLock({ $0.attach(channel) }) { opened.fail(CancellationError()) }
                do {
                    try await opened.futureResult.get()
                } catch {
                    channel.close(promise: nil)
                    throw error
                }
                let certificate = tls == nil ? nil : try await channel.nioSSL_peerCertificate().get()
                return WebSocketConnection(
                    channel: channel,
                    messages: messages,
                    host: target.authority,
                    certificateHash: try certificate.map(CertificateHash.of),
                    configuration: configuration,
                    ending: ending
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

    /// Returns once the operating system took the message, or where little waits for it: a caller that sends in a loop is held to
    /// the network's pace, one message ahead of it. Cancelled it returns at once, and the message goes out all the same: a question
    /// that has a time limit must not wait behind a file on a line that is stuck.
    public func send(text: String) async throws { try await send(.text, Array(text.utf8)) }

    /// - Parameter text: UTF-8.
    public func send(text: [UInt8]) async throws { try await send(.text, text) }

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
        var buffer = channel.allocator.buffer(capacity: head.count + body.count + 14)
        head.withUnsafeBytes { head in
            body.withUnsafeBytes { body in
                WebSocketFrameWriter.append(opcode, body, after: head, mask: .random(in: .min ... .max), to: &buffer)
            }
        }
        let count = buffer.readableBytes
        let waiting = outstanding.add(count, ordering: .relaxed).newValue
        let written = channel.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { [weak self] _ in _ = self?.outstanding.subtract(count, ordering: .relaxed) }
        channel.writeAndFlush(buffer, promise: written)
        guard waiting > configuration.writeAheadBytes else { return }
        let taken = channel.eventLoop.makePromise(of: Void.self)
        written.futureResult.cascade(to: taken)
        do {
            try await withTaskCancellationHandler {
                try await taken.futureResult.get()
            } onCancel: {
                taken.fail(CancellationError())
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            // Whatever a socket says when it is written to after its end, to the caller it is over.
            throw WebSocketError.closed
        }
    }

    /// Sends a ping and waits for its pong.
    ///
    /// - Throws: ``WebSocketError/closed`` when the connection ends first; `CancellationError`.
    public func ping() async throws {
        let promise = channel.eventLoop.makePromise(of: Void.self)
        try await withTaskCancellationHandler {
            channel.pipeline.fireUserInboundEventTriggered(WebSocketClientEvent.ping(promise))
            if !channel.isActive { promise.fail(WebSocketError.closed) }
            try await promise.futureResult.get()
        } onCancel: {
            promise.fail(CancellationError())
        }
    }

    /// Closes with the close handshake and returns when the socket is gone. Closing twice is harmless.
    public func close(_ code: WebSocketCloseCode = .normal, reason: String = "") async {
        let event = WebSocketClientEvent.close(code, reason: reason, within: TimeAmount(configuration.closeTimeout))
        channel.pipeline.fireUserInboundEventTriggered(event)
        // The close future never fails.
        try? await channel.closeFuture.get()
    }

    /// Ends the connection at once, without a close frame.
    public func abort() {
        ending.record(.byUs)
        channel.close(promise: nil)
    }

    /// How the connection ended; nil while it is open.
    public var closure: WebSocketClosure? { ending.closure }

    /// The address that answered, for showing and for logs.
    public var remoteAddress: String? { channel.remoteAddress?.ipAddress }

    private static func tlsContext(_ trust: WebSocketTrust) throws(WebSocketError) -> NIOSSLContext {
        do {
            var tls = TLSConfiguration.makeClientConfiguration()
            switch trust {
            case .system: break
            case .certificates(let pem): tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(pem))
            // The handler compares the certificate itself; a name is no part of that.
            case .certificate: tls.certificateVerification = .noHostnameVerification
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
        guard case .certificate(let expected) = trust else {
            return try NIOSSLClientHandler(context: context, serverHostname: name)
        }
        return try NIOSSLClientHandler(
            context: context,
            serverHostname: name,
            customVerificationCallback: { certificates, verdict in
                let shown = certificates.first.flatMap { try? CertificateHash.of($0) }
                verdict.succeed(shown == expected ? .certificateVerified : .failed)
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
