public import Kernel
public import WebClient

/// The settings of a ``NetworkWebClient``.
public struct NetworkWebClientConfiguration: Sendable {
    /// Certificates that are believed beside the system's authorities, PEM text: of a server with a certificate of its own.
    public var certificates: [UInt8]?
    public var proxies: WebProxySettings
    /// How long a connection may take, with TLS and a proxy.
    public var connectTimeout: Duration
    /// HTTP/1.1 connections to one server at a time; more requests wait. HTTP/2 needs one.
    public var connectionsPerServer: Int
    /// How long a connection is kept without use.
    public var keptFor: Duration
    public var time: any TimeSource

    public init(
        certificates: [UInt8]? = nil,
        proxies: WebProxySettings = .none,
        connectTimeout: Duration = .seconds(10),
        connectionsPerServer: Int = 4,
        keptFor: Duration = .seconds(30),
        time: any TimeSource = .system
    ) {
        self.certificates = certificates
        self.proxies = proxies
        self.connectTimeout = connectTimeout
        self.connectionsPerServer = connectionsPerServer
        self.keptFor = keptFor
        self.time = time
    }
}
