import AsyncHTTPClient
import Kernel
import NIOCore
import NIOHTTP1
import NIOSSL
import Synchronization
public import WebClient

/// Asks servers by HTTP/1.1 and HTTP/2 over sockets, for Linux. It must be shut down before it is let go of.
public final class NetworkWebClient: WebClient {
    private let configuration: NetworkWebClientConfiguration
    private let tls: TLSConfiguration
    /// One of the library's clients for each proxy, and one without: a proxy is a setting of the whole client there.
    private let clients: Mutex<[WebProxy?: HTTPClient]?>

    /// - Throws: ``WebClientError/unusableCertificates(reason:)``.
    public init(_ configuration: NetworkWebClientConfiguration = NetworkWebClientConfiguration()) throws(WebClientError)
    {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if let pem = configuration.certificates {
            do {
                tls.additionalTrustRoots = [.certificates(try NIOSSLCertificate.fromPEMBytes(pem))]
            } catch {
                throw .unusableCertificates(reason: "it holds no certificate in PEM")
            }
        }
        self.configuration = configuration
        self.tls = tls
        clients = Mutex([:])
    }

    public func shutdown() async {
        let clients = clients.withLock { clients in
            defer { clients = nil }
            return clients.map { Array($0.values) } ?? []
        }
        for client in clients {
            // It fails only where it was shut down before, which this is the only place to do.
            try? await client.shutdown()
        }
    }

    public func send<Value: Sendable>(
        _ request: WebRequest,
        reading read: @escaping @Sendable (WebAnswer) async throws -> Value
    ) async throws -> Value {
        let proxy = configuration.proxies.proxy(for: request.url)
        let client = try client(through: proxy)
        let failures = NetworkFailures(
            url: request.url,
            proxy: proxy,
            connectTimeout: configuration.connectTimeout
        )
        return try await WebExchange(request, on: configuration.time).run(
            open: { watch in
                let response = try await self.execute(request, client, failures, watch)
                var fields = WebFields()
                for (name, value) in response.headers { fields.add(name, value) }
                return WebExchange.Opened(
                    status: Int(response.status.code),
                    fields: fields,
                    pieces: response.body.map { Array($0.readableBytesView) }
                )
            },
            describe: { failures.describe($0) },
            reading: read
        )
    }

    private func execute(
        _ request: WebRequest,
        _ client: HTTPClient,
        _ failures: NetworkFailures,
        _ watch: WebWatch
    ) async throws -> HTTPClientResponse {
        var mayRepeat = request.mayBeRepeated
        while true {
            let upload = UploadFailure()
            do {
                // The limit that counts is the watch's.
                let deadline = NIODeadline.now() + TimeAmount(request.timeouts.whole) + .seconds(60)
                return try await client.execute(Self.question(request, watch, upload), deadline: deadline)
            } catch {
                if let error = upload.error { throw error }
                let described = await failures.diagnose(error, tls)
                // A kept connection may end in the moment in which it is used.
                guard mayRepeat, case .connectionLost = described, !Task.isCancelled else { throw described }
                mayRepeat = false
                watch.waits()
            }
        }
    }

    private static func question(
        _ request: WebRequest,
        _ watch: WebWatch,
        _ upload: UploadFailure
    ) -> HTTPClientRequest {
        var question = HTTPClientRequest(url: request.url.text)
        question.method = HTTPMethod(rawValue: request.method.rawValue)
        for field in request.fields.fields { question.headers.add(name: field.name, value: field.value) }
        switch request.body {
        case .none: break
        case .bytes(let bytes): question.body = .bytes(ByteBuffer(bytes: bytes))
        case .pieces(let length, let next):
            let pieces = UploadPieces(length: length, watch: watch, failure: upload, nextPiece: next)
            question.body = .stream(pieces, length: .known(length))
        }
        return question
    }

    private func client(through proxy: WebProxy?) throws(WebClientError) -> HTTPClient {
        let client: HTTPClient? = clients.withLock { clients in
            guard clients != nil else { return nil }
            if let made = clients?[proxy] { return made }
            let made = make(through: proxy)
            clients?[proxy] = made
            return made
        }
        guard let client else { throw .closed }
        return client
    }

    private func make(through proxy: WebProxy?) -> HTTPClient {
        var settings = HTTPClient.Configuration(
            tlsConfiguration: tls,
            redirectConfiguration: .disallow,
            timeout: .init(connect: TimeAmount(configuration.connectTimeout)),
            decompression: .disabled
        )
        settings.connectionPool = .init(
            idleTimeout: TimeAmount(configuration.keptFor),
            concurrentHTTP1ConnectionsPerHostSoftLimit: max(1, configuration.connectionsPerServer)
        )
        // Otherwise a refused connection is tried until the time is over, and the person waits for what is known.
        settings.connectionPool.retryConnectionEstablishment = false
        settings.httpVersion = .automatic
        settings.proxy = proxy.map { proxy in
            .server(
                host: proxy.host,
                port: proxy.port,
                authorization: proxy.user.map { .basic(username: $0, password: proxy.password ?? "") }
            )
        }
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
    }
}
