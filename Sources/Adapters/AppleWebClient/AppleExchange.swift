#if canImport(Darwin)
    import Foundation
    import Security
    import Synchronization
    import WebClient

    /// One task of the system, as its delegate.
    final class AppleExchange: NSObject, URLSessionDataDelegate, Sendable {
        private let url: WebURL
        private let anchors: [SecCertificate]
        private let pieces: AsyncThrowingStream<[UInt8], any Error>
        private let feed: AsyncThrowingStream<[UInt8], any Error>.Continuation
        private let waiter = Mutex<CheckedContinuation<HTTPURLResponse, any Error>?>(nil)

        init(_ url: WebURL, anchors: [SecCertificate]) {
            self.url = url
            self.anchors = anchors
            // A task that is suspended still brings what it has read, which is little.
            (pieces, feed) = AsyncThrowingStream.makeStream()
        }

        /// Starts `task` and returns with the answer's head. The task ends when its body is let go of.
        func run(_ task: URLSessionTask) async throws -> WebExchange.Opened<ApplePieces> {
            task.delegate = self
            feed.onTermination = { _ in task.cancel() }
            let response = try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    waiter.withLock { $0 = continuation }
                    task.resume()
                }
            } onCancel: {
                task.cancel()
            }
            var fields = WebFields()
            for (name, value) in response.allHeaderFields { fields.add("\(name)", "\(value)") }
            return WebExchange.Opened(
                status: response.statusCode,
                fields: fields,
                pieces: ApplePieces(task: task, pieces: pieces)
            )
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest,
            completionHandler: @escaping (URLRequest?) -> Void
        ) {
            completionHandler(nil)
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            guard !anchors.isEmpty, let trust = challenge.protectionSpace.serverTrust else {
                completionHandler(.performDefaultHandling, nil)
                return
            }
            SecTrustSetAnchorCertificates(trust, anchors as CFArray)
            SecTrustSetAnchorCertificatesOnly(trust, false)
            guard SecTrustEvaluateWithError(trust, nil) else {
                // The system looks again, and says what is wrong.
                completionHandler(.performDefaultHandling, nil)
                return
            }
            completionHandler(.useCredential, URLCredential(trust: trust))
        }

        func urlSession(
            _ session: URLSession,
            dataTask: URLSessionDataTask,
            didReceive response: URLResponse,
            completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
        ) {
            guard let response = response as? HTTPURLResponse else {
                completionHandler(.cancel)
                return
            }
            take()?.resume(returning: response)
            completionHandler(.allow)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            dataTask.suspend()
            feed.yield([UInt8](data))
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            let failure = error.map(describe)
            take()?.resume(throwing: failure ?? WebClientError.brokenAnswer(origin: url.origin))
            feed.finish(throwing: failure)
        }

        private func take() -> CheckedContinuation<HTTPURLResponse, any Error>? {
            waiter.withLock { waiter in
                defer { waiter = nil }
                return waiter
            }
        }

        private func describe(_ error: any Error) -> WebClientError {
            guard let error = error as? URLError else { return .connectionLost(origin: url.origin) }
            switch error.code {
            case .cancelled: return .cancelled
            case .badURL, .unsupportedURL: return .malformedURL(url.origin)
            case .cannotFindHost, .dnsLookupFailed: return .unknownHost(url.host)
            case .cannotConnectToHost: return .cannotConnect(origin: url.origin, reason: "nobody answers there")
            case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff:
                return .cannotConnect(origin: url.origin, reason: "this device has no network")
            case .timedOut: return .timedOut(origin: url.origin, .connection, after: .seconds(86_400))
            case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot:
                return .untrusted(origin: url.origin, .notTrusted)
            case .serverCertificateHasBadDate: return .untrusted(origin: url.origin, .expired)
            case .serverCertificateNotYetValid: return .untrusted(origin: url.origin, .notYetValid)
            case .secureConnectionFailed, .appTransportSecurityRequiresSecureConnection:
                return .noTLS(origin: url.origin)
            case .badServerResponse, .cannotParseResponse, .zeroByteResource: return .brokenAnswer(origin: url.origin)
            default: return .connectionLost(origin: url.origin)
            }
        }
    }
#endif
