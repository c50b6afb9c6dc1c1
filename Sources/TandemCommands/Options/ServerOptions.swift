import ArgumentParser
import Foundation
import Kernel
package import SignalingServer
import TandemWeb
import Transport

/// The options of every role with a signaling server.
struct ServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Where to listen; port 0 means any free one. Default: 0.0.0.0:9001.", valueName: "addr:port")
    )
    var listen: String?

    @Option(
        help: ArgumentHelp(
            "Whose answers to give where the two known servers differ. Default: embedded.",
            valueName: "server"
        )
    )
    var dialect: SignalingDialect?

    @Flag(help: "Show everyone to everyone and forward for the unregistered, as old servers do. For old LANs only.")
    var legacyOpen = false

    @Option(
        help: ArgumentHelp(
            "The TLS certificate chain, PEM. Read again on SIGHUP. Default: no TLS.",
            valueName: "file"
        ),
        completion: .file(extensions: ["pem", "crt"])
    )
    var tlsCert: String?

    @Option(
        help: ArgumentHelp("The certificate's key, PEM.", valueName: "file"),
        completion: .file(extensions: ["pem", "key"])
    )
    var tlsKey: String?

    @Flag(help: "Answer ws:// on public addresses too, without encryption on the way.")
    var allowPlain = false

    @Flag(
        inversion: .prefixedNo,
        help: """
            Serve the page that makes a browser a phone, at /phone/. It is served where a browser can seal: with a certificate, and on \
            this machine itself; with this option also by names behind a reverse proxy that has the certificate. Default: without it.
            """
    )
    var phonePage: Bool?

    @Flag(help: "Serve /metrics for Prometheus.")
    var metrics = false

    @Option(
        help: ArgumentHelp(
            "A name or address that clients reach this server by, beside this machine's own and those in the certificate; without a "
                + "port where ports are forwarded. May be repeated. Requests for other hosts and ports are refused.",
            valueName: "host[:port]"
        )
    )
    var serverName: [String] = []

    @Option(
        help: ArgumentHelp(
            "A web site whose pages may connect, for example https://app.example.org; may be repeated. Default: none.",
            valueName: "url"
        )
    )
    var allowOrigin: [String] = []

    @Option(
        help: ArgumentHelp(
            "A reverse proxy, or a network of them, that is believed about whose connection it passes on by X-Forwarded-For; may be "
                + "repeated. Default: none.",
            valueName: "addr[/bits]"
        )
    )
    var trustedProxy: [String] = []

    @Flag(help: "The trusted proxies speak the PROXY protocol, version 2, in place of X-Forwarded-For.")
    var proxyProtocol = false

    /// A hub's server, and the certificate that it is to get, nil where it gets none.
    ///
    /// - Parameter names: The hub's own, as typed.
    func hubConfiguration(
        _ settings: Settings,
        names: [String] = [],
        certificates: CertificateOptions,
        in folder: StateFolder
    ) throws -> (server: SignalingServerConfiguration, certificate: CertificateOptions.Values?) {
        var certificate: CertificateOptions.Values?
        let server = try configuration(
            settings,
            defaultAddress: "0.0.0.0:9001",
            names: settings.texts(names, "name"),
            certificate: { certificate = try certificates.values(settings, for: &$0, in: folder) }
        )
        return (server, certificate)
    }

    /// - Parameters:
    ///   - names: Names of the server that another option gave.
    ///   - limits: Those in force where the settings say nothing else.
    ///   - certificate: Sets a certificate that is to come. The page for phones is served by it as by one that is there.
    func configuration(
        _ settings: Settings,
        defaultAddress: String,
        names: [String] = [],
        limits: SignalingLimits = SignalingLimits(),
        certificate: (inout SignalingServerConfiguration) throws -> Void = { _ in }
    ) throws -> SignalingServerConfiguration {
        var configuration = SignalingServerConfiguration()
        configuration.limits = limits
        try setAdmission(in: &configuration, settings, names: names)
        let endpoint = try settings.endpoint(listen, "listen", default: defaultAddress)
        configuration.address = endpoint.host
        configuration.port = endpoint.port
        configuration.dialect = settings.choice(dialect, "dialect", default: configuration.dialect)
        configuration.isLegacyOpen = settings.flag(legacyOpen, "legacyOpen")
        configuration.allowsPlainOnPublicAddresses = settings.flag(allowPlain, "allowPlain")
        switch (settings.text(tlsCert, "tlsCert"), settings.text(tlsKey, "tlsKey")) {
        case (nil, nil): break
        case (let certificate?, let key?):
            configuration.tls = TLSFiles(certificate: Live.path(typed: certificate), key: Live.path(typed: key))
        case (_?, nil): throw SettingsError.half(given: "tlsCert", missing: "tlsKey")
        case (nil, _?): throw SettingsError.half(given: "tlsKey", missing: "tlsCert")
        }
        try certificate(&configuration)
        try addPhonePage(to: &configuration, settings)
        configuration.turn = try TURNConfiguration(environment: Running.console.environment)
        // One loop keeps a frame on one core; more only help where one core is not enough.
        configuration.eventLoops = settings.integer("eventLoops", default: 1)
        if let rate = settings.optionalInteger("messagesPerSecond") {
            let allowed = 1...LimitSetting.mostCounted
            guard allowed.contains(rate) else {
                throw ServerOptionsError.badLimit(setting: "messagesPerSecond", value: rate, allowed: allowed)
            }
            configuration.limits.socketMessages = RateLimit(burst: Double(rate) * 5, perSecond: Double(rate))
            configuration.limits.socketBytes = RateLimit(burst: Double(rate) * 65_536, perSecond: Double(rate) * 8192)
        }
        for limit in LimitSetting.all {
            guard let value = settings.optionalInteger(limit.name) else { continue }
            guard limit.set(value, in: &configuration.limits) else {
                throw ServerOptionsError.badLimit(setting: limit.name, value: value, allowed: limit.range)
            }
        }
        return configuration
    }

    /// Adds the page for phones, and has the server say where it is.
    private func addPhonePage(to configuration: inout SignalingServerConfiguration, _ settings: Settings) throws {
        let isWanted = settings.optionalFlag(phonePage, "phonePage")
        guard isWanted != false else { return }
        let place = PhonePlace(hasCertificate: configuration.tls != nil, isBehindProxy: isWanted == true)
        configuration.phonePage = { place.url(at: $0) }
        configuration.httpRoutes += try PhonePage(
            at: place,
            files: PageOptions.files(settings),
            bundles: PageOptions.phoneBundles,
            terminal: PageOptions.terminalFiles(settings),
            version: TandemVersion.current
        ).routes()
    }

    /// Sets the names under which the server answers, the pages it answers, and the proxies it believes.
    private func setAdmission(
        in configuration: inout SignalingServerConfiguration,
        _ settings: Settings,
        names: [String]
    ) throws {
        configuration.names = names + settings.texts(serverName, "serverName")
        configuration.allowedOrigins = settings.texts(allowOrigin, "allowOrigin")
        configuration.trustedProxies = try settings.texts(trustedProxy, "trustedProxy").map { text in
            guard let range = AddressRange(text) else { throw ServerOptionsError.badProxy(text) }
            return range
        }
        configuration.readsProxyProtocol = settings.flag(proxyProtocol, "proxyProtocol")
        guard !configuration.readsProxyProtocol || !configuration.trustedProxies.isEmpty else {
            throw ServerOptionsError.noProxy
        }
    }
}

extension SignalingDialect: ExpressibleByArgument {}

/// A server's setting that cannot be used. The description is shown to the person.
enum ServerOptionsError: Error, Hashable, CustomStringConvertible {
    case badLimit(setting: String, value: Int, allowed: ClosedRange<Int>)
    case badProxy(String)
    case noProxy

    var description: String {
        switch self {
        case .badLimit(let setting, let value, let allowed):
            """
            \(setting) must be at least \(allowed.lowerBound) and at most \(allowed.upperBound), not \(value). \
            What each limit means: tandem hub limits
            """
        case .badProxy(let text):
            "trustedProxy must be an address or a network, for example 127.0.0.1 or 10.0.0.0/8, not \(text)."
        case .noProxy:
            "proxyProtocol is set and no proxy is trusted. Name the proxy with --trusted-proxy."
        }
    }
}
