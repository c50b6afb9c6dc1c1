public import ArgumentParser
import Foundation
public import SignalingServer
import Transport

/// What every role with a signaling server takes.
struct ServerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Where to listen; port 0 means any free one.", valueName: "addr:port"))
    var listen: String?

    @Option(help: "Whose answers to give where the two known servers differ: embedded or standalone.")
    var dialect: SignalingDialect?

    @Flag(help: "Show everyone to everyone and forward for the unregistered, as old servers do. For old LANs only.")
    var legacyOpen = false

    @Option(
        help: "The TLS certificate chain, PEM. Read again on SIGHUP.",
        completion: .file(extensions: ["pem", "crt"])
    )
    var tlsCert: String?

    @Option(help: "The certificate's key, PEM.", completion: .file(extensions: ["pem", "key"]))
    var tlsKey: String?

    @Flag(help: "Answer ws:// on public addresses too, without encryption on the way.")
    var allowPlain = false

    @Flag(help: "Serve /metrics for Prometheus.")
    var metrics = false

    func validate() throws {
        guard (tlsCert == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-cert and --tls-key belong together: give both or none.")
        }
    }

    func configuration(_ settings: Settings, defaultAddress: String) throws -> SignalingServerConfiguration {
        var configuration = SignalingServerConfiguration()
        let endpoint = try settings.endpoint(listen, "listen", default: defaultAddress)
        configuration.address = endpoint.host
        configuration.port = endpoint.port
        if let dialect {
            configuration.dialect = dialect
        } else if let text = settings.text(nil, "dialect") {
            guard let dialect = SignalingDialect(rawValue: text) else { throw SettingsError.badDialect(text) }
            configuration.dialect = dialect
        }
        configuration.isLegacyOpen = settings.flag(legacyOpen, "legacyOpen")
        configuration.allowsPlainOnPublicAddresses = settings.flag(allowPlain, "allowPlain")
        if let certificate = settings.text(tlsCert, "tlsCert"), let key = settings.text(tlsKey, "tlsKey") {
            configuration.tls = TLSFiles(
                certificate: URL(fileURLWithPath: certificate),
                key: URL(fileURLWithPath: key)
            )
        }
        configuration.turn = try TURNConfiguration(environment: ProcessInfo.processInfo.environment)
        // One loop keeps a frame on one core; more only help where one core is not enough.
        configuration.eventLoops = settings.integer("eventLoops", default: 1)
        if let rate = settings.optionalInteger("messagesPerSecond") {
            configuration.limits.socketMessages = RateLimit(burst: Double(rate) * 5, perSecond: Double(rate))
            configuration.limits.socketBytes = RateLimit(burst: Double(rate) * 65_536, perSecond: Double(rate) * 8192)
        }
        return configuration
    }
}

extension SignalingDialect: ExpressibleByArgument {}
