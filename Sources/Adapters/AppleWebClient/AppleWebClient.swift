#if canImport(Darwin)
    public import Foundation
    public import Kernel
    import Security
    public import WebClient

    /// Asks servers through the system, for iOS and macOS: with its proxies, its certificates and its radio.
    public final class AppleWebClient: WebClient {
        private let session: URLSession
        private let anchors: [SecCertificate]
        private let time: any TimeSource
        private let work = BlockingWork("tandem.upload", width: 1)

        /// - Parameters:
        ///   - certificates: Believed beside the system's authorities, DER: of a server with a certificate of its own.
        ///   - connectionsPerServer: Connections to one server at a time; more requests wait.
        /// - Throws: ``WebClientError/unusableCertificates(reason:)``.
        public init(
            certificates: [Data] = [],
            connectionsPerServer: Int = 4,
            time: any TimeSource = .system
        ) throws(WebClientError) {
            var anchors: [SecCertificate] = []
            for der in certificates {
                guard let anchor = SecCertificateCreateWithData(nil, der as CFData) else {
                    throw .unusableCertificates(reason: "one of them is no certificate in DER")
                }
                anchors.append(anchor)
            }
            self.anchors = anchors
            self.time = time
            // Nothing is kept: no cookies, no cache, no passwords.
            let settings = URLSessionConfiguration.ephemeral
            settings.httpCookieStorage = nil
            settings.urlCache = nil
            settings.urlCredentialStorage = nil
            settings.httpShouldSetCookies = false
            settings.httpMaximumConnectionsPerHost = max(1, connectionsPerServer)
            settings.tlsMinimumSupportedProtocolVersion = .TLSv12
            session = URLSession(configuration: settings)
        }

        /// Ends every request; a later one is ``WebClientError/cancelled``.
        public func shutdown() { session.invalidateAndCancel() }

        public func send<Value: Sendable>(
            _ request: WebRequest,
            reading read: @escaping @Sendable (WebAnswer) async throws -> Value
        ) async throws -> Value {
            let upload = UploadFile()
            defer { upload.remove() }
            return try await WebExchange(request, on: time).run(
                open: { watch in
                    let exchange = AppleExchange(request.url, anchors: self.anchors)
                    let question = try Self.question(request)
                    let task: URLSessionTask
                    switch request.body {
                    case .none: task = self.session.dataTask(with: question)
                    case .bytes(let bytes): task = self.session.uploadTask(with: question, from: Data(bytes))
                    case .pieces(let length, let next):
                        // The system takes a file of a known length; a stream it would send in chunks.
                        try await upload.fill(length: length, next: next, watch: watch, on: self.work)
                        task = self.session.uploadTask(with: question, fromFile: upload.url)
                    }
                    return try await exchange.run(task)
                },
                describe: { $0 },
                reading: read
            )
        }

        private static func question(_ request: WebRequest) throws(WebClientError) -> URLRequest {
            guard let url = URL(string: request.url.text) else { throw .malformedURL(request.url.origin) }
            var question = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalAndRemoteCacheData)
            question.httpMethod = request.method.rawValue
            // The limits that count are the exchange's.
            question.timeoutInterval = 86_400
            for field in request.fields.fields { question.addValue(field.value, forHTTPHeaderField: field.name) }
            if request.fields["Accept-Encoding"] == nil {
                question.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
            }
            return question
        }
    }
#endif
