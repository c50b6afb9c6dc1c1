import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import WebClient

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What the library's errors mean for one request.
struct NetworkFailures: Sendable {
    let url: WebURL
    let proxy: WebProxy?
    let connectTimeout: Duration

    /// What went wrong, where it needs no look at the server.
    func describe(_ error: any Error) -> WebClientError {
        switch error {
        case let error as WebClientError: error
        case is CancellationError: .cancelled
        case let error as HTTPClientError: describe(error)
        case let error as NIOConnectionError: describe(error)
        case ChannelError.connectTimeout: timedOut
        // An address that is written as numbers is dialled without a look-up, and fails in the socket's own words.
        case let error as IOError where Self.connectFaults.contains(error.errnoCode):
            proxy == nil ? cannotConnect(error) : .proxyUnreachable(proxy: proxyName)
        // The end came in the middle of an answer.
        case HTTPParserError.invalidEOFState: .connectionLost(origin: url.origin)
        case is HTTPParserError: .brokenAnswer(origin: url.origin)
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: describeTLS(error)
        // A reset socket, a stream that the server ended, a connection that goes away.
        default: .connectionLost(origin: url.origin)
        }
    }

    /// ``describe(_:)``, with a second look at a certificate that was refused: the library does not say what it lacks.
    func diagnose(_ error: any Error, _ tls: TLSConfiguration) async -> WebClientError {
        guard case NIOSSLError.handshakeFailed = error, proxy == nil else { return describe(error) }
        guard let fault = await CertificateProbe(url: url, limit: connectTimeout, tls: tls).fault() else {
            return .noTLS(origin: url.origin)
        }
        return .untrusted(origin: url.origin, fault)
    }

    private static let nameFaults: [NIOSSLExtraError] = [.failedToValidateHostname, .serverHostnameImpossibleToMatch]

    /// No connection was made.
    private static let connectFaults: Set<CInt> = [
        ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EHOSTDOWN, ENETDOWN, EADDRNOTAVAIL, ETIMEDOUT, EACCES,
    ]

    private var timedOut: WebClientError { .timedOut(origin: url.origin, .connection, after: connectTimeout) }

    private func describe(_ error: HTTPClientError) -> WebClientError {
        switch error {
        case .connectTimeout, .tlsHandshakeTimeout, .httpProxyHandshakeTimeout, .getConnectionFromPoolTimeout,
            .socksHandshakeTimeout, .deadlineExceeded:
            return timedOut
        case .cancelled: return .cancelled
        case .alreadyShutdown: return .closed
        case .invalidURL, .emptyHost, .emptyScheme: return .malformedURL(url.origin)
        case .proxyAuthenticationRequired: return .proxyNeedsPassword(proxy: proxyName)
        case .invalidProxyResponse: return .proxyRefused(proxy: proxyName, origin: url.origin)
        default: return .connectionLost(origin: url.origin)
        }
    }

    private var proxyName: String { proxy.map { "\($0)" } ?? url.origin }

    private func describe(_ error: NIOConnectionError) -> WebClientError {
        if proxy != nil { return .proxyUnreachable(proxy: proxyName) }
        guard let first = error.connectionErrors.first?.error else { return .unknownHost(url.host) }
        if case ChannelError.connectTimeout = first { return timedOut }
        return cannotConnect(first as? IOError)
    }

    private func cannotConnect(_ error: IOError?) -> WebClientError {
        let reason = error.map { String(cString: strerror($0.errnoCode)).lowercased() }
        return .cannotConnect(origin: url.origin, reason: reason ?? "the network refused it")
    }

    private func describeTLS(_ error: any Error) -> WebClientError {
        switch error {
        // A connection without TLS's farewell.
        case NIOSSLError.uncleanShutdown: .connectionLost(origin: url.origin)
        case let error as NIOSSLExtraError where Self.nameFaults.contains(error):
            .untrusted(origin: url.origin, .otherName)
        case NIOSSLError.handshakeFailed: .untrusted(origin: url.origin, .notTrusted)
        default: .noTLS(origin: url.origin)
        }
    }
}
